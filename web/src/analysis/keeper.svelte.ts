// Keeps an opened chapter with the server: every edit is sent as it is made, and what others do is taken over.
import { ApiError } from "../api/api_error";
import { showError } from "../design/toasts.svelte";
import type { StudyChapter } from "../wire/StudyChapter";
import type { StudyEdit } from "../wire/StudyEdit";
import type { StudyInfo } from "../wire/StudyInfo";
import { chapterOf, editChapter } from "./api";
import type { AnalysisModel } from "./model.svelte";
import { edited, treeOf } from "./tree";

/** An edit that found no server is sent again after so many milliseconds. */
const RETRY = 3_000;

export class StudyKeeper {
  /** How many edits the server has not answered. */
  waiting = $state(0);
  /** Whether others changed the chapter since it was opened, or since that was last read. */
  others = $state(false);
  /** The wire type is that of Rust; in JSON it is a plain number. */
  #version: number;
  #queue: StudyEdit[] = [];
  #sending = false;
  #closed = false;

  constructor(
    readonly study: string,
    readonly chapter: StudyChapter,
    readonly model: AnalysisModel,
  ) {
    this.#version = Number(chapter.info.version);
  }

  /** Sends an edit that was made here. */
  send(edit: StudyEdit): void {
    this.#queue.push(edit);
    this.waiting = this.#queue.length;
    void this.#sendAll();
  }

  /** What the server says of the study: a chapter that others changed is fetched. */
  async hear({ chapters }: StudyInfo): Promise<void> {
    const now = chapters.find(({ id }) => id === this.chapter.info.id);
    if (!now || Number(now.version) <= this.#version || this.#sending || this.#closed) return;
    try {
      await this.#fetch();
    } catch {
      // It is asked again when the server is asked again.
    }
  }

  /** The version after a change of ours that was no edit, such as another title. */
  knows({ chapters }: StudyInfo): void {
    const now = chapters.find(({ id }) => id === this.chapter.info.id);
    if (now && Number(now.version) === this.#version + 1) this.#version += 1;
  }

  /** An earlier text was put back here. */
  restored(chapter: StudyChapter): void {
    const { others } = this;
    this.#take(chapter);
    this.others = others;
  }

  /** Nobody looks any more; what was not answered yet is still sent. */
  close(): void {
    this.#closed = true;
  }

  async #sendAll(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    for (let edit = this.#queue[0]; edit; edit = this.#queue[0]) {
      try {
        const { id } = this.chapter.info;
        const { version, chapter } = await editChapter(this.study, id, this.#version, edit);
        this.#queue.shift();
        this.#version = Number(version);
        if (chapter) this.#take(chapter);
      } catch (error) {
        if (error instanceof ApiError && error.passing) await this.#rest();
        else await this.#giveUp(edit, error);
      }
      this.waiting = this.#queue.length;
    }
    this.#sending = false;
  }

  /** An edit that does not fit what is there: what is there is shown, and why. */
  async #giveUp(edit: StudyEdit, error: unknown): Promise<void> {
    this.#queue = [];
    const overtaken = error instanceof ApiError && error.status === 409;
    if (overtaken && edit.type === "comment") this.model.conflict = { path: edit.path, mine: edit.text };
    else showError(error);
    await this.#fetch().catch(showError);
  }

  async #fetch(): Promise<void> {
    const chapter = await chapterOf(this.study, this.chapter.info.id);
    if (!this.#closed) this.#take(chapter);
  }

  #take(chapter: StudyChapter): void {
    this.#version = Number(chapter.info.version);
    this.others = true;
    this.model.take(this.#queue.reduce(edited, treeOf(chapter)));
  }

  #rest(): Promise<void> {
    return new Promise((done) => setTimeout(done, RETRY));
  }
}
