/** A worker thread of `CaptureThreads`. It captures the URLs that it receives. */
import { parentPort, workerData } from "node:worker_threads";
import type { CaptureCommand, CaptureReport } from "./capture-threads.ts";
import { type CaptureSettings, HostCaptures } from "./host-captures.ts";

const stopping = new AbortController();
const report = (what: CaptureReport) => parentPort?.postMessage(what);

const captures = HostCaptures.open(
  workerData as CaptureSettings,
  {
    onWritten: (written) => report({ written }),
    onStopped: (url) => report({ stopped: url }),
    onError: (error) => report({ error }),
  },
  stopping.signal,
);

parentPort?.on("message", async (command: CaptureCommand) => {
  try {
    const opened = await captures;
    if ("orders" in command) {
      for (const { wanted, maxBytes } of command.orders) opened.capture(wanted, maxBytes);
    } else if (command.type === "stop") {
      stopping.abort();
    } else {
      await opened.close();
      report({ type: "closed" });
    }
  } catch (error) {
    report({ error });
    if ("type" in command && command.type === "close") report({ type: "closed" });
  }
});
