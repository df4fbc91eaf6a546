import { defaultAddressPolicy } from "../shared/web/address/admit-url.ts";
import { serveHost } from "../shared/web/gate/gate.ts";
import { gatePolicy } from "../shared/web/gate/gate-policy.ts";
import type { GateMessage, GateSettings } from "../shared/web/gate/gate-ports.ts";
import { hasTimeFor, hostsPerInvocation, otherHosts, waitsInside } from "../shared/web/gate/other-hosts.ts";
import { type GroupTurn, type OtherGroups, serveGroups } from "../shared/web/gate/serve-groups.ts";
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

/** A host's messages, and until when they are hidden from others. */
type Taken = HostBatch & { hiddenUntilMs: number };

interface Simulation {
  load: Load;
  clock: VirtualClock;
  world: SimulatedWorld;
  workers: number;
  /** That of the gate when absent. */
  hostsPerInvocation?: number | undefined;
}

/** The event source mapping between queue and function: receives messages, invokes, deletes processed messages. */
export class EventSource {
  maxBusy = 0;
  /** When the last messages were deleted. */
  lastDeletedMs = 0;
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
    world.use.invocations++;
    const startedMs = clock.nowMs;
    const remainingMs = () => startedMs + timeoutMs - clock.nowMs;
    const holder = String(this.invocations++).padStart(36, "0");
    const unsettled: HostResult[] = [];
    await serveGroups<Taken>(
      batch.map((taken) => [{ ...taken, hiddenUntilMs: Number.POSITIVE_INFINITY }]),
      async ([taken], turn) => {
        if (taken === undefined) return;
        const ended = await this.serve(taken, { holder, remainingMs, turn });
        if (turn.isGiven && turn.atOnce() === 1) {
          unsettled.push(ended);
          return;
        }
        await this.remove(ended);
      },
      this.others(remainingMs),
    );
    world.use.functionMs += clock.nowMs - startedMs;
    for (const ended of unsettled) await this.remove(ended);
    this.busy--;
    this.poll();
  }

  /** The other hosts that an invocation serves, by the gate's own rules. */
  private others(remainingMs: () => number): OtherGroups<Taken> {
    const { clock, world, load, hostsPerInvocation: most = hostsPerInvocation } = this.simulation;
    const { policy } = gateSettings(load, "");
    let taken: Taken[] = [];
    const rules = otherHosts({
      receive: async (hiddenMs) => {
        const hiddenUntilMs = clock.nowMs + hiddenMs;
        world.use.receives++;
        await clock.sleep(latencyMs.receive);
        taken = this.queue.receive().map((batch) => ({ ...batch, hiddenUntilMs }));
        return [];
      },
      remainingMs,
      clock,
      policy,
    });
    return {
      ...rules,
      most,
      async take() {
        await rules.take();
        return taken.map((batch) => [batch]);
      },
    };
  }

  private async remove(ended: HostResult): Promise<void> {
    const { clock, world } = this.simulation;
    if (ended.count > 0) {
      world.use.deletes++;
      await clock.sleep(latencyMs.delete);
    }
    this.settle(ended);
    this.poll();
  }

  /** Processes a host's messages: the number done, and the end of the visibility timeout of the others. */
  private async serve(
    taken: Taken,
    { holder, remainingMs, turn }: { holder: string; remainingMs: () => number; turn: GroupTurn },
  ): Promise<HostResult> {
    const { load, world, clock } = this.simulation;
    const settings = gateSettings(load, holder);
    let untilMs = 0;
    const messages = messagesOf(load, taken);
    const hide = () => world.hide();
    const hasTime = hasTimeFor(messages, { remainingMs, hide, clock, policy: settings.policy });
    const ports = world.ports(
      { hasTime, waitsInside: (waitMs) => waitsInside(waitMs, turn) },
      (hiddenUntilMs) => {
        untilMs = hiddenUntilMs;
      },
    );
    const left = await serveHost(messages, ports, settings);
    return { host: taken.host, count: taken.count - left.length, left: left.length, untilMs };
  }

  private settle({ host, count, left, untilMs }: HostResult): void {
    const { clock } = this.simulation;
    this.queue.delete(host, count);
    if (count > 0) this.lastDeletedMs = clock.nowMs;
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

function messagesOf(load: Load, taken: Taken): GateMessage[] {
  return Array.from({ length: taken.count }, (_, index) => {
    const request = taken.from + index;
    const body = {
      id: idOf(request),
      kind: "article",
      url: `https://${hostKeyOf(taken.host)}/${request}`,
      throttleMs: load.delayMs,
    };
    return {
      messageId: String(request),
      receiptHandle: String(request),
      body: JSON.stringify(body),
      hiddenUntilMs: taken.hiddenUntilMs,
    };
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
