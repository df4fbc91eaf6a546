import { createHttpClient } from "../../shared/web/exchange/http-client.ts";
import { serveHost } from "../../shared/web/gate/gate.ts";
import type { GatePorts, GateSettings } from "../../shared/web/gate/gate-ports.ts";
import type { FifoQueue } from "./fifo-queue.ts";

const never = new Promise<never>(() => {});

/** A process that serves one batch after the other, and can be killed at any moment. */
export class KillableWorker {
  isBusy = false;
  private readonly killed = new AbortController();

  /** @param ports those to a common world; what is the worker's own is added here */
  async work(
    queue: FifoQueue,
    ports: Omit<GatePorts, "exchange" | "returnToQueue" | "hasTime">,
    {
      settings,
      invocationMs,
      losesDeletion,
    }: { settings: GateSettings; invocationMs: number; losesDeletion: () => boolean },
  ): Promise<void> {
    const client = createHttpClient({
      policy: settings.addresses,
      limits: { connectMs: 1500, headersMs: settings.policy.exchangeMaxMs - 500, bodyMs: 500 },
    });
    while (!this.killed.signal.aborted) {
      const batch = queue.receive();
      if (batch.length === 0) {
        await this.unlessKilled(new Promise((resolve) => setTimeout(resolve, 5)));
        continue;
      }
      const endsAtMs = performance.now() + invocationMs;
      this.isBusy = true;
      const own: GatePorts = {
        ...ports,
        exchange: (request) => client.exchange({ ...request, signal: this.killed.signal }),
        returnToQueue: async (messages, waitMs) => queue.hide(messages, waitMs),
        hasTime: async (neededMs) => neededMs <= endsAtMs - performance.now(),
      };
      const left = await serveHost(batch, this.killable(own), settings);
      this.isBusy = false;
      // Now and then the deletion is lost: the messages come again.
      if (!losesDeletion()) queue.delete(batch.filter((message) => !left.includes(message)));
    }
    await client.close();
  }

  /** Nothing that it does after this has an effect; its connections break. */
  kill(): void {
    this.killed.abort(new Error("killed"));
  }

  /** Ports that do nothing any more once the process is dead; each does it a moment later, as over a network. */
  private killable(ports: GatePorts): GatePorts {
    const wrap = <Arguments extends unknown[], Result>(
      port: (...given: Arguments) => Promise<Result>,
    ): ((...given: Arguments) => Promise<Result>) => {
      return async (...given) => {
        await this.unlessKilled(new Promise((resolve) => setImmediate(resolve)));
        return this.unlessKilled(port(...given));
      };
    };
    const { hosts, robots } = ports;
    return {
      ...ports,
      exchange: wrap(ports.exchange),
      hosts: { load: wrap(hosts.load), save: wrap(hosts.save) },
      robots: robots && { store: wrap(robots.store), load: wrap(robots.load) },
      storeBody: wrap(ports.storeBody),
      passBody: wrap(ports.passBody),
      respond: wrap(ports.respond),
      enqueue: wrap(ports.enqueue),
      deadLetter: wrap(ports.deadLetter),
      returnToQueue: wrap(ports.returnToQueue),
      clock: { ...ports.clock, sleep: wrap(ports.clock.sleep) },
    };
  }

  /** The result, if the process lives to see it. */
  private async unlessKilled<Result>(result: Promise<Result>): Promise<Result> {
    if (this.killed.signal.aborted) return never;
    const value = await result.catch((error: unknown) => {
      if (this.killed.signal.aborted) return never;
      throw error;
    });
    return this.killed.signal.aborted ? never : value;
  }
}
