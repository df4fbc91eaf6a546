import { createHash } from "node:crypto";
import { serveHost } from "../shared/web/gate.ts";
import { VirtualClock } from "./makespan-clock.ts";
import {
  gateSettings,
  hostKeyOf,
  latencyMs,
  messagesOf,
  type roundings,
  SimulatedWorld,
  type Use,
} from "./makespan-gate.ts";
import { type Load, randomNumbers, shortestMs } from "./makespan-loads.ts";
import { inOrder, type Order } from "./makespan-orders.ts";
import { FifoQueue, type Pick, type Taken } from "./makespan-queue.ts";

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
  use: Use;
  /** Of any one queue. */
  mostInFlight: number;
  /** Of any one message. */
  mostReceives: number;
  mostInvocations: number;
}

/** The function's timeout. @see infra/constructs/deployed-function.ts */
const timeoutMs = 300_000;

/** Runs a load through queues and functions to its end, with the gate's own code. */
export async function runInCloud(load: Load, settings: CloudSettings): Promise<CloudRun> {
  const clock = new VirtualClock();
  const world = new SimulatedWorld(load, clock, settings.rounding ?? "up");
  const sources = divided(load, inOrder(load, settings.order), settings.queues).map((sent, at) => {
    const queue = new FifoQueue(load, sent, {
      pick: settings.pick ?? "oldest message",
      random: randomNumbers(at),
    });
    return new EventSource(queue, {
      load,
      clock,
      world,
      workers: Math.floor(settings.workers / settings.queues),
    });
  });
  for (const source of sources) source.poll();
  await clock.run();
  if (!world.allDone || world.tooEarly > 0) throw new Error("a request was lost, repeated or too early");
  const most = (figure: (source: EventSource) => number) => Math.max(...sources.map(figure));
  return {
    makespanMs: clock.nowMs,
    shortestMs: shortestMs(load, settings.workers),
    use: world.use,
    mostInFlight: most(({ queue }) => queue.mostInFlight),
    mostReceives: most(({ queue }) => queue.mostReceives),
    mostInvocations: sources.reduce((sum, source) => sum + source.mostBusy, 0),
  };
}

/** The requests of each queue: a host belongs to one of them, by the hash of its name. */
function divided(load: Load, sent: Uint32Array, queues: number): Uint32Array[] {
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

interface Around {
  load: Load;
  clock: VirtualClock;
  world: SimulatedWorld;
  workers: number;
}

/** What stands between a queue and the function: takes batches, invokes, and deletes what is done. */
class EventSource {
  mostBusy = 0;
  readonly queue: FifoQueue;
  private busy = 0;
  private invocations = 0;
  private readonly around: Around;

  constructor(queue: FifoQueue, around: Around) {
    this.queue = queue;
    this.around = around;
  }

  /** Invokes the function as long as there are messages and free workers. */
  poll(): void {
    while (this.busy < this.around.workers) {
      const batch = this.queue.receive();
      if (batch.length === 0) return;
      this.busy++;
      this.mostBusy = Math.max(this.mostBusy, this.busy);
      void this.invoke(batch);
    }
  }

  private async invoke(batch: Taken[]): Promise<void> {
    const { clock, world } = this.around;
    await clock.sleep(latencyMs.receive);
    world.use.receives++;
    world.use.invocations++;
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

  /** The function's part of one host: how many of its messages are done, and until when the others stay hidden. */
  private async serve(
    taken: Taken,
    { holder, startedMs }: { holder: string; startedMs: number },
  ): Promise<Ended> {
    const { load, clock, world } = this.around;
    let untilMs = 0;
    const ports = world.ports(
      () => startedMs + timeoutMs - clock.nowMs,
      (handedBackUntilMs) => {
        untilMs = handedBackUntilMs;
      },
    );
    const left = await serveHost(messagesOf(load, taken), ports, gateSettings(load, holder));
    return { host: taken.host, count: taken.count - left.length, left: left.length, untilMs };
  }

  private settle({ host, count, left, untilMs }: Ended): void {
    const { clock } = this.around;
    this.queue.delete(host, count);
    const show = () => {
      this.queue.show(host, left);
      this.poll();
    };
    // What was handed back stays closed behind what was done until that is deleted, however short the wait.
    if (untilMs > clock.nowMs) clock.at(untilMs, show);
    else show();
  }
}

interface Ended {
  host: number;
  count: number;
  left: number;
  untilMs: number;
}
