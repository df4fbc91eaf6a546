import { createHash } from "node:crypto";
import { VirtualClock } from "./makespan-clock.ts";
import { EventSource } from "./makespan-event-source.ts";
import { type Load, randomNumbers, shortestMs } from "./makespan-loads.ts";
import { type Order, sendingOrder } from "./makespan-orders.ts";
import { FifoQueue, type Pick } from "./makespan-queue.ts";
import { hostKeyOf, type roundings, SimulatedWorld, type Use } from "./makespan-world.ts";

export interface CloudSettings {
  order: Order;
  /** Invocations at a time, over all queues. */
  workers: number;
  /** Queues among which the hosts are divided. */
  queues: number;
  pick?: Pick;
  rounding?: keyof typeof roundings;
}

export interface CloudRun {
  makespanMs: number;
  shortestMs: number;
  /** When half of the hosts were done. */
  halfDoneMs: number;
  use: Use;
  /** Of any one queue. */
  maxInFlight: number;
  /** Of any one message. */
  maxReceives: number;
  maxInvocations: number;
}

/** Runs a load through queues and functions to its end, with the gate's own code. */
export async function runInCloud(load: Load, settings: CloudSettings): Promise<CloudRun> {
  const clock = new VirtualClock();
  const world = new SimulatedWorld(load, clock, settings.rounding ?? "down");
  const sources = divideAmongQueues(load, sendingOrder(load, settings.order), settings.queues).map(
    (sent, at) => {
      const queue = new FifoQueue(load, sent, {
        pick: settings.pick ?? "oldest message",
        random: randomNumbers(at),
      });
      const workers = Math.floor(settings.workers / settings.queues);
      return new EventSource(queue, { load, clock, world, workers });
    },
  );
  for (const source of sources) source.poll();
  await clock.run();
  if (!world.allDone || world.tooEarly > 0) throw new Error("a request was lost, repeated or too early");
  const most = (figure: (source: EventSource) => number) => Math.max(...sources.map(figure));
  return {
    makespanMs: clock.nowMs,
    shortestMs: shortestMs(load, settings.workers),
    halfDoneMs: world.halfDoneMs,
    use: world.use,
    maxInFlight: most(({ queue }) => queue.maxInFlight),
    maxReceives: most(({ queue }) => queue.maxReceives),
    maxInvocations: sources.reduce((sum, source) => sum + source.maxBusy, 0),
  };
}

/** The requests of each queue: a host belongs to one of them, by the hash of its name. */
function divideAmongQueues(load: Load, sent: Uint32Array, queues: number): Uint32Array[] {
  if (queues === 1) return [sent];
  const queueOf = Array.from({ length: load.hosts }, (_, host) => queueNumber(hostKeyOf(host), queues));
  return Array.from({ length: queues }, (_, queue) =>
    sent.filter((request) => queueOf[load.hostOf[request] ?? 0] === queue),
  );
}

/** Which of the queues is a host's: the same one always, and as many hosts for each. */
export function queueNumber(hostKey: string, queues: number): number {
  return createHash("sha256").update(hostKey).digest().readUInt32BE() % queues;
}
