/** The streams of a command. A terminal sets `isTTY` and its width. */
export interface Output {
  write(content: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface CommandIo {
  stdin: AsyncIterable<string | Buffer>;
  stdout: Output;
  stderr: Output;
  /** Aborted when the user interrupts the command. */
  signal: AbortSignal;
}

export interface Command {
  /** Shown for `--help`. */
  usage: string;
  /**
   * @returns the exit code
   * @throws InputError when an option or argument is invalid
   */
  run(args: string[], io: CommandIo): Promise<number>;
}

/** A failure of a command to do its work, with a specific exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
