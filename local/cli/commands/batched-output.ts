import type { CommandIo } from "./command.ts";

/** Written at once at the latest: more would only take memory. */
const maxLength = 64 * 1024;

/**
 * Writes what is written within one turn of the event loop at once. A write to a pipe is a call of the system that waits for
 * its reader; one for each of many short lines takes longer than to check their links.
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

  /** Before something else is written, and at the end. */
  flush(): void {
    const { text } = this;
    this.text = "";
    if (text !== "") this.output.write(text);
  }
}
