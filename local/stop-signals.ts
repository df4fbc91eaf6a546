import { constants } from "node:os";

const signalNames = ["SIGINT", "SIGTERM"] as const;
type SignalName = (typeof signalNames)[number];

/** Why work is left: a signal from outside. */
class Stopped extends Error {
  readonly exitCode: number;

  constructor(name: SignalName) {
    super(`stopped by ${name}`);
    this.exitCode = signalExitCode(name);
  }
}

/** What comes again so soon is the same wish: npm hands on to us what the terminal has sent to both. */
const repeatedSignalMs = 1000;

/** What of a process is needed here. */
interface SignalSource {
  on(event: string, listener: (message: unknown) => void): unknown;
  exit(code: number): void;
}

/**
 * Aborts at the first signal to stop, be it sent to this process or handed on by the one that has started it
 * (`ingather.js`). Who asks once more, a second later, wants no more to be waited for: the process ends.
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

/** The exit code of what was stopped: 143 by SIGTERM, 130 by Ctrl-C or otherwise. */
export function stoppedExitCode({ reason }: AbortSignal): number {
  return reason instanceof Stopped ? reason.exitCode : signalExitCode("SIGINT");
}

/** As a shell tells it. */
function signalExitCode(name: SignalName): number {
  return 128 + constants.signals[name];
}
