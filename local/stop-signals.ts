import { constants } from "node:os";

const names = ["SIGINT", "SIGTERM"] as const;

/** Why work is left: a signal from outside. */
class Stopped extends Error {
  readonly exitCode: number;

  constructor(name: (typeof names)[number]) {
    super(`stopped by ${name}`);
    this.exitCode = codeOf(name);
  }
}

/**
 * Aborts at the first signal to stop, be it sent to this process or handed on by the one that has started it
 * (`ingather.js`): Ctrl-C reaches both, and is one. At the second one to this process Node ends it.
 */
export function stopOnSignals(): AbortController {
  const stop = new AbortController();
  const stopBy = (name: (typeof names)[number]) => stop.abort(new Stopped(name));
  for (const name of names) process.once(name, () => stopBy(name));
  process.on("message", (message) => {
    const name = names.find((each) => each === message);
    if (name !== undefined) stopBy(name);
  });
  return stop;
}

/** The exit code of what was stopped: 143 by SIGTERM, 130 by Ctrl-C or otherwise. */
export function stoppedCode({ reason }: AbortSignal): number {
  return reason instanceof Stopped ? reason.exitCode : codeOf("SIGINT");
}

/** As a shell tells it. */
function codeOf(name: (typeof names)[number]): number {
  return 128 + constants.signals[name];
}
