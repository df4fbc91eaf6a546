import { defaultAddressPolicy } from "../shared/web/address/admit-url.ts";
import { serveHost } from "../shared/web/gate/gate.ts";
import { gatePolicy } from "../shared/web/gate/gate-policy.ts";
import type { GateMessage, GateSettings } from "../shared/web/gate/gate-ports.ts";
import type { VirtualClock } from "./makespan-clock.ts";
import type { Load } from "./makespan-loads.ts";
import type { FifoQueue, HostBatch } from "./makespan-queue.ts";
import { hostKeyOf, latencyMs, type SimulatedWorld } from "./makespan-world.ts";

/** The function's timeout. @see infra/constructs/deployed-function.ts */
const timeoutMs = 300_000;

interface HostResult {
  host: number;
  count: number;
  left: number;
  untilMs: number;
}

interface Simulation {
  load: Load;
  clock: VirtualClock;
  world: SimulatedWorld;
  workers: number;
}

/** The event source mapping between queue and function: receives messages, invokes, deletes processed messages. */
export class EventSource {
  maxBusy = 0;
  readonly queue: FifoQueue;
  private busy = 0;
  private invocations = 0;
  private readonly simulation: Simulation;

  constructor(queue: FifoQueue, around: Simulation) {
    this.queue = queue;
    this.simulation = around;
  }

  /** Invokes the function while there are messages and free workers. */
  poll(): void {
    while (this.busy < this.simulation.workers) {
      const batch = this.queue.receive();
      if (batch.length === 0) return;
      this.busy++;
      this.maxBusy = Math.max(this.maxBusy, this.busy);
      void this.invoke(batch);
    }
  }

  private async invoke(batch: HostBatch[]): Promise<void> {
    const { clock, world } = this.simulation;
    await clock.sleep(latencyMs.receive);
    world.use.receives++;
    const startedMs = clock.nowMs;
    const holder = String(this.invocations++).padStart(36, "0");
    const done = await Promise.all(batch.map((taken) => this.serve(taken, { holder, startedMs })));
    world.use.functionMs += clock.nowMs - startedMs;
    if (done.some((ended) => ended.count > 0)) {
      world.use.deletes++;
      await clock.sleep(latencyMs.delete);
    }
    this.busy--;
    for (const ended of done) this.settle(ended);
    this.poll();
  }

  /** Processes a host's messages: the number done, and the end of the visibility timeout of the others. */
  private async serve(
    taken: HostBatch,
    { holder, startedMs }: { holder: string; startedMs: number },
  ): Promise<HostResult> {
    const { load, clock, world } = this.simulation;
    let untilMs = 0;
    const ports = world.ports(
      () => startedMs + timeoutMs - clock.nowMs,
      (hiddenUntilMs) => {
        untilMs = hiddenUntilMs;
      },
    );
    const left = await serveHost(messagesOf(load, taken), ports, gateSettings(load, holder));
    return { host: taken.host, count: taken.count - left.length, left: left.length, untilMs };
  }

  private settle({ host, count, left, untilMs }: HostResult): void {
    const { clock } = this.simulation;
    this.queue.delete(host, count);
    const show = () => {
      this.queue.makeVisible(host, left);
      this.poll();
    };
    // The group stays closed until its processed messages are deleted, even if the timeout ends earlier.
    if (untilMs > clock.nowMs) clock.at(untilMs, show);
    else show();
  }
}

/** As long as the ids of `digest`, because they determine the size of a host's state. */
function idOf(request: number): string {
  return String(request).padStart(16, "0");
}

function messagesOf(load: Load, taken: HostBatch): GateMessage[] {
  return Array.from({ length: taken.count }, (_, index) => {
    const request = taken.from + index;
    const body = {
      id: idOf(request),
      kind: "article",
      url: `https://${hostKeyOf(taken.host)}/${request}`,
      throttleMs: load.delayMs,
    };
    return { messageId: String(request), receiptHandle: String(request), body: JSON.stringify(body) };
  });
}

function gateSettings(load: Load, holder: string): GateSettings {
  const { delayMs: defaultDelayMs, backoffMs: backoffBaseMs } = load;
  return {
    policy: gatePolicy({ defaultDelayMs, maxAttempts: 4, backoffBaseMs }),
    addresses: defaultAddressPolicy,
    userAgent: "Ingather (simulated)",
    holder,
  };
}
