import { constants } from "node:os";

const signalNames = ["SIGINT", "SIGTERM"] as const;
type SignalName = (typeof signalNames)[number];

/** The reason of an abort by a signal. */
class Stopped extends Error {
  readonly exitCode: number;

  constructor(name: SignalName) {
    super(`stopped by ${name}`);
    this.exitCode = signalExitCode(name);
  }
}

/**
 * A second signal within this time is a duplicate, because npm forwards a signal that the terminal has sent
 * to both processes.
 */
const repeatedSignalMs = 1000;

/** The part of `process` that this module uses. */
interface SignalSource {
  on(event: string, listener: (message: unknown) => void): unknown;
  exit(code: number): void;
}

/**
 * Aborts at the first SIGINT or SIGTERM, whether it was sent to this process or forwarded by its parent
 * (`ingather.js`). Another signal at least a second later ends the process at once.
 */
export function stopOnSignals(
  source: SignalSource = process,
  nowMs = () => performance.now(),
): AbortController {
  const stop = new AbortController();
  let stoppedAtMs = 0;
  const stopBy = (name: SignalName) => {
    if (stop.signal.aborted) {
      if (nowMs() - stoppedAtMs > repeatedSignalMs) source.exit(signalExitCode(name));
      return;
    }
    stoppedAtMs = nowMs();
    stop.abort(new Stopped(name));
  };
  for (const name of signalNames) source.on(name, () => stopBy(name));
  source.on("message", (message) => {
    const name = signalNames.find((each) => each === message);
    if (name !== undefined) stopBy(name);
  });
  return stop;
}

/** Returns whether the user stopped the process. Otherwise, its output failed. */
export function isStoppedByUser({ reason }: AbortSignal): boolean {
  return reason instanceof Stopped;
}

/** Returns the exit code of an aborted process: 143 after SIGTERM, otherwise 130. */
export function stoppedExitCode({ reason }: AbortSignal): number {
  return reason instanceof Stopped ? reason.exitCode : signalExitCode("SIGINT");
}

/** Returns the exit code that shells use for a signal. */
function signalExitCode(name: SignalName): number {
  return 128 + constants.signals[name];
}
