// The lines of a review while it is made: JSON, a line each; empty lines only show that somebody is there.
import { apiErrorOf } from "../api/api_error";
import type { ReviewLine } from "../wire/ReviewLine";

/** The lines of a stream of bytes, as they come. */
export async function* linesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const parts = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = done ? "" : parts.pop()!;
      yield* parts.filter((line) => line.trim() !== "");
      if (done) return;
    }
  } finally {
    reader.releaseLock();
  }
}

/** The lines of a review, until it is done or has failed, or until the connection breaks. */
export async function* reviewLines(address: string, signal: AbortSignal): AsyncGenerator<ReviewLine> {
  const answer = await fetch(address, { signal, headers: { accept: "application/x-ndjson" } });
  if (!answer.ok) throw await apiErrorOf(answer);
  if (!answer.body) return;
  for await (const line of linesOf(answer.body)) yield JSON.parse(line) as ReviewLine;
}
