import type { Writable } from "node:stream";

/** The exit code after the reader closed the pipe: 128 + SIGPIPE (13), as shells report it. */
const readerIsGone = 141;

/** The exit code when the output cannot be written. */
const unwritable = 2;

/**
 * Stops the work when its output fails, because the reader closed the pipe (as `head` does) or the disk is
 * full.
 * @returns a function that waits for all writes and returns the exit code: the command's, unless output was
 *   lost
 */
export function watchOutput(
  { stdout, stderr }: { stdout: Writable; stderr: Writable },
  stop: () => void,
): { finish(code: number): Promise<number> } {
  let failure: NodeJS.ErrnoException | undefined;
  const fail = (error: NodeJS.ErrnoException) => {
    failure ??= error;
    stop();
  };
  stdout.on("error", fail);
  stderr.on("error", stop);
  return {
    async finish(code) {
      const late = await written(stdout);
      failure ??= late;
      if (failure === undefined) await written(stderr);
      if (failure === undefined) return code;
      if (failure.code === "EPIPE") return readerIsGone;
      stderr.write(`The output cannot be written: ${failure.message}\n`);
      await written(stderr);
      return unwritable;
    },
  };
}

/** Resolves when all earlier writes have completed or failed. */
function written(output: Writable): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => output.write("", (error) => resolve(error ?? undefined)));
}
