import { hostsPerInvocation } from "../shared/web/gate/other-hosts.ts";
import { queueNumber } from "../shared/web/gate/queue-number.ts";
import { VirtualClock } from "./makespan-clock.ts";
import { EventSource } from "./makespan-event-source.ts";
import { type Load, randomNumbers, shortestMs } from "./makespan-loads.ts";
import { type Order, sendingOrder } from "./makespan-orders.ts";
import { FifoQueue, type Pick } from "./makespan-queue.ts";
import { hostKeyOf, type roundings, SimulatedWorld, type Use } from "./makespan-world.ts";

export interface CloudSettings {
  order: Order;
  /** Concurrent invocations, of all queues together. */
  workers: number;
  /** The number of queues that share the hosts. */
  queues: number;
  pick?: Pick;
  rounding?: keyof typeof roundings;
  /** Hosts that an invocation serves at the same time; that of the gate when absent. */
  hostsPerInvocation?: number;
}

export interface CloudRun {
  makespanMs: number;
  shortestMs: number;
  /** The time when half of the hosts were done. */
  halfDoneMs: number;
  use: Use;
  /** The maximum over queues. */
  maxInFlight: number;
  /** The maximum over messages. */
  maxReceives: number;
  maxInvocations: number;
}

/** Runs a load through simulated queues and functions, with the gate's real code. */
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
      return new EventSource(queue, {
        ...{ load, clock, world, workers },
        hostsPerInvocation: settings.hostsPerInvocation,
      });
    },
  );
  for (const source of sources) source.poll();
  await clock.run();
  if (!world.allDone || world.tooEarly > 0) throw new Error("a request was lost, repeated or too early");
  const most = (figure: (source: EventSource) => number) => Math.max(...sources.map(figure));
  return {
    makespanMs: most(({ lastDeletedMs }) => lastDeletedMs),
    shortestMs: shortestMs(load, settings.workers * (settings.hostsPerInvocation ?? hostsPerInvocation)),
    halfDoneMs: world.halfDoneMs,
    use: world.use,
    maxInFlight: most(({ queue }) => queue.maxInFlight),
    maxReceives: most(({ queue }) => queue.maxReceives),
    maxInvocations: sources.reduce((sum, source) => sum + source.maxBusy, 0),
  };
}

/** The requests of each queue. The hash of a host's name decides its queue. */
function divideAmongQueues(load: Load, sent: Uint32Array, queues: number): Uint32Array[] {
  if (queues === 1) return [sent];
  const queueOf = Array.from({ length: load.hosts }, (_, host) => queueNumber(hostKeyOf(host), queues));
  return Array.from({ length: queues }, (_, queue) =>
    sent.filter((request) => queueOf[load.hostOf[request] ?? 0] === queue),
  );
}
