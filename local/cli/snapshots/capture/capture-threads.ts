import { Worker } from "node:worker_threads";
import type { WantedUrl } from "../../../../shared/snapshots/capture/wanted-url.ts";
import { hostKeyOf } from "../../../../shared/web/address/host-key.ts";
import type { CommittedExchange } from "./capture-folder.ts";
import { type CaptureEvents, type CaptureSettings, HostCaptures } from "./host-captures.ts";

/** A URL for a thread to capture. */
interface CaptureOrder {
  wanted: WantedUrl;
  maxBytes: number;
}

/** The messages to a thread. */
export type CaptureCommand = { orders: CaptureOrder[] } | { type: "stop" } | { type: "close" };

/** The messages from a thread. */
export type CaptureReport =
  | { written: readonly CommittedExchange[] }
  | { stopped: string }
  | { error: unknown }
  | { type: "closed" };

/** Captures the URLs of the hosts that are assigned to it. */
interface Lane {
  hosts: number;
  capture(order: CaptureOrder): void;
  close(): Promise<void>;
}

/**
 * The number of hosts that justifies another thread. Starting a thread takes as long as some hundred
 * requests.
 */
const hostsPerLane = 4;

/**
 * Heaps are small, because most objects of a thread are short-lived. This is as fast, and keeps a capture
 * below 400 MB.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };

/**
 * Captures URLs on several threads. Each host belongs to one thread, so that it gets one request at a time.
 * This thread is the first one; other threads are started when there are enough hosts for them.
 */
export class CaptureThreads {
  private readonly settings: CaptureSettings;
  private readonly events: CaptureEvents;
  private readonly signal: AbortSignal;
  private readonly count: number;
  private readonly lanes: Lane[];
  private readonly laneOfHost = new Map<string, Lane>();

  /** Opens the threads. @throws ConfigError if the index folder has no index */
  static async open(
    settings: CaptureSettings,
    given: { count: number; events: CaptureEvents; signal: AbortSignal },
  ): Promise<CaptureThreads> {
    return new CaptureThreads(settings, {
      ...given,
      own: await HostCaptures.open(settings, given.events, given.signal),
    });
  }

  private constructor(
    settings: CaptureSettings,
    given: { count: number; events: CaptureEvents; signal: AbortSignal; own: HostCaptures },
  ) {
    const { own } = given;
    this.settings = settings;
    this.events = given.events;
    this.signal = given.signal;
    this.count = given.count;
    this.lanes = [
      {
        hosts: 0,
        capture: ({ wanted, maxBytes }) => own.capture(wanted, maxBytes),
        close: () => own.close(),
      },
    ];
  }

  /** Captures a URL. Its outcome is reported by the events. */
  capture(order: CaptureOrder): void {
    this.laneOf(hostKeyOf(order.wanted.url)).capture(order);
  }

  /** Completes the WARC files. Must not be called before all captures have ended. */
  async close(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  private laneOf(host: string): Lane {
    const known = this.laneOfHost.get(host);
    if (known !== undefined) return known;
    let lane = this.lanes.reduce((a, b) => (b.hosts < a.hosts ? b : a));
    if (lane.hosts >= hostsPerLane && this.lanes.length < this.count) {
      lane = startLane(this.settings, this.events, this.signal);
      this.lanes.push(lane);
    }
    lane.hosts += 1;
    this.laneOfHost.set(host, lane);
    return lane;
  }
}

function startLane(settings: CaptureSettings, events: CaptureEvents, signal: AbortSignal): Lane {
  const script = new URL("./capture-worker.js", import.meta.url);
  const worker = new Worker(script, { workerData: settings, resourceLimits });
  const tell = (command: CaptureCommand) => worker.postMessage(command);
  const closed = Promise.withResolvers<void>();
  const fail = (error: unknown) => {
    events.onError(error);
    closed.resolve();
  };
  worker.on("message", (report: CaptureReport) => {
    if ("written" in report) events.onWritten(report.written);
    else if ("stopped" in report) events.onStopped(report.stopped);
    else if ("error" in report) events.onError(report.error);
    else closed.resolve();
  });
  worker.on("error", fail);
  const stop = () => tell({ type: "stop" });
  signal.addEventListener("abort", stop, { once: true });
  let orders: CaptureOrder[] = [];
  return {
    hosts: 0,
    capture(order) {
      // The orders of one turn of the event loop are sent as one message.
      if (orders.push(order) > 1) return;
      queueMicrotask(() => {
        tell({ orders });
        orders = [];
      });
    },
    async close() {
      signal.removeEventListener("abort", stop);
      tell({ type: "close" });
      await closed.promise;
      await worker.terminate();
    },
  };
}
