/** What a command reads and writes; a terminal says so and knows its width. */
export interface Output {
  write(content: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface CommandIo {
  stdin: AsyncIterable<string | Buffer>;
  stdout: Output;
  stderr: Output;
  /** Aborted when the user wants no more. */
  signal: AbortSignal;
}

export interface Command {
  /** Shown for `--help`. */
  usage: string;
  /**
   * @returns the exit code
   * @throws InputError when the command is used wrongly
   */
  run(args: string[], io: CommandIo): Promise<number>;
}
