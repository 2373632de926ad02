// Lines out of bytes, however they are cut.
import { expect, it } from "vitest";
import { linesOf } from "./stream";

const bytes = new TextEncoder();

async function lines(...chunks: Uint8Array[]): Promise<string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const found: string[] = [];
  for await (const line of linesOf(stream)) found.push(line);
  return found;
}

const text = (...chunks: string[]) => chunks.map((chunk) => bytes.encode(chunk));

it("puts lines together that come in pieces", async () => {
  expect(await lines(...text('{"a":', '1}\n{"b"', ":2}\n"))).toEqual(['{"a":1}', '{"b":2}']);
});

it("leaves out lines that only show that somebody is there", async () => {
  expect(await lines(...text("\n", '{"a":1}\n\n', "\n"))).toEqual(['{"a":1}']);
});

it("takes a last line without an end, and characters cut in two", async () => {
  const whole = bytes.encode("é\nx");
  expect(await lines(whole.slice(0, 1), whole.slice(1))).toEqual(["é", "x"]);
});
