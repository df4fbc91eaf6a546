import type { CommandIo } from "./command.ts";
import type { InputFile } from "./open-input.ts";
import { printable } from "./printable.ts";
import { ProgressBar } from "./progress-bar.ts";

const mebibyte = 1_048_576;

/** Writes warnings and dropped items to standard error and, if that is a terminal, shows the progress. */
export class ConversionReport {
  private readonly stderr: CommandIo["stderr"];
  private readonly input: Omit<InputFile, "chunks">;
  private readonly bar: ProgressBar | undefined;

  constructor({ stderr }: CommandIo, input: Omit<InputFile, "chunks">) {
    this.stderr = stderr;
    this.input = input;
    const total = Math.ceil(input.sizeBytes / mebibyte);
    this.bar = stderr.isTTY ? new ProgressBar(stderr, { total, nowMs: () => performance.now() }) : undefined;
  }

  add(kind: "warning" | "dropped", reason: string, place: string): void {
    this.bar?.clear();
    this.stderr.write(`${kind}: ${printable(`${reason} (${place})`)}\n`);
  }

  update({ done, dropped }: { done: number; dropped: number }): void {
    const note = `${done} done, ${dropped} dropped`;
    const { sizeBytes } = this.input;
    // The size of a pipe is not known.
    if (sizeBytes === 0) this.bar?.note(note);
    else this.bar?.update(Math.floor(this.input.bytesRead() / mebibyte), `MiB, ${note}`);
  }

  clear(): void {
    this.bar?.clear();
  }
}
