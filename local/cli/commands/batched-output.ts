import type { CommandIo } from "./command.ts";

/**
 * The size at which output is written at once, in characters; a larger buffer would only take more memory.
 */
const maxLength = 64 * 1024;

/**
 * Collects the output of one turn of the event loop, and writes it with a single call.
 * A write to a pipe is a system call that waits for the reader. One write per short line would take longer
 * than checking the links.
 */
export class BatchedOutput {
  private readonly output: CommandIo["stdout"];
  private text = "";

  constructor(output: CommandIo["stdout"]) {
    this.output = output;
  }

  write(text: string): void {
    if (this.text === "") setImmediate(() => this.flush());
    this.text += text;
    if (this.text.length >= maxLength) this.flush();
  }

  /** Writes the collected text. Called before other output is written, and at the end. */
  flush(): void {
    const { text } = this;
    this.text = "";
    if (text !== "") this.output.write(text);
  }
}
