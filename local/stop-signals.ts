import { constants } from "node:os";

const names = ["SIGINT", "SIGTERM"] as const;
type Name = (typeof names)[number];

/** Why work is left: a signal from outside. */
class Stopped extends Error {
  readonly exitCode: number;

  constructor(name: Name) {
    super(`stopped by ${name}`);
    this.exitCode = codeOf(name);
  }
}

/** What comes again so soon is the same wish: npm hands on to us what the terminal has sent to both. */
const sameWishMs = 1000;

/** What of a process is needed here. */
interface Signalled {
  on(event: string, listener: (message: unknown) => void): unknown;
  exit(code: number): void;
}

/**
 * Aborts at the first signal to stop, be it sent to this process or handed on by the one that has started it
 * (`ingather.js`). Who asks once more, a second later, wants no more to be waited for: the process ends.
 */
export function stopOnSignals(
  signalled: Signalled = process,
  nowMs = () => performance.now(),
): AbortController {
  const stop = new AbortController();
  let stoppedAtMs = 0;
  const stopBy = (name: Name) => {
    if (stop.signal.aborted) {
      if (nowMs() - stoppedAtMs > sameWishMs) signalled.exit(codeOf(name));
      return;
    }
    stoppedAtMs = nowMs();
    stop.abort(new Stopped(name));
  };
  for (const name of names) signalled.on(name, () => stopBy(name));
  signalled.on("message", (message) => {
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
function codeOf(name: Name): number {
  return 128 + constants.signals[name];
}
