import type { Writable } from "node:stream";

/** As shells tell of a process whose reader has gone: 128 and the number of SIGPIPE. */
const readerIsGone = 141;

/** Exit code when what was found out cannot be written. */
const unwritable = 2;

/**
 * Watches over the output of a process: work for a reader that has gone, as `head` does, or for a full disk is stopped.
 * @returns what waits until all is written, and gives the exit code: the command's, unless its output was lost
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

/** Resolves when all that was written before has gone out, or cannot. */
function written(output: Writable): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => output.write("", (error) => resolve(error ?? undefined)));
}
