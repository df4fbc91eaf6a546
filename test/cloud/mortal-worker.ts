import { createHttpClient } from "../../shared/web/exchange/http-client.ts";
import type { GatePorts, GateSettings } from "../../shared/web/gate/gate.ts";
import { serveHost } from "../../shared/web/gate/gate.ts";
import type { FifoQueue } from "./fifo-queue.ts";

const never = new Promise<never>(() => {});

/** A process that serves one batch after the other, and can be killed at any moment. */
export class MortalWorker {
  isBusy = false;
  private readonly death = new AbortController();

  /** @param ports those to a common world; what is the worker's own is added here */
  async work(
    queue: FifoQueue,
    ports: Omit<GatePorts, "exchange" | "handBack" | "remainingMs">,
    { settings, invocationMs, loses }: { settings: GateSettings; invocationMs: number; loses: () => boolean },
  ): Promise<void> {
    const client = createHttpClient({
      policy: settings.addresses,
      limits: { connectMs: 1500, headersMs: settings.policy.exchangeMaxMs - 500, bodyMs: 500 },
    });
    while (!this.death.signal.aborted) {
      const batch = queue.receive();
      if (batch.length === 0) {
        await this.living(new Promise((resolve) => setTimeout(resolve, 5)));
        continue;
      }
      const endsAtMs = performance.now() + invocationMs;
      this.isBusy = true;
      const own: GatePorts = {
        ...ports,
        exchange: (request) => client.exchange({ ...request, signal: this.death.signal }),
        handBack: async (messages, waitMs) => queue.hide(messages, waitMs),
        remainingMs: () => endsAtMs - performance.now(),
      };
      const left = await serveHost(batch, this.mortal(own), settings);
      this.isBusy = false;
      // Now and then the deletion is lost: the messages come again.
      if (!loses()) queue.delete(batch.filter((message) => !left.includes(message)));
    }
    await client.close();
  }

  /** Nothing that it does after this has an effect; its connections break. */
  kill(): void {
    this.death.abort(new Error("killed"));
  }

  /** Ports that do nothing any more once the process is dead; each does it a moment later, as over a network. */
  private mortal(ports: GatePorts): GatePorts {
    const wrap = <Arguments extends unknown[], Result>(
      port: (...given: Arguments) => Promise<Result>,
    ): ((...given: Arguments) => Promise<Result>) => {
      return async (...given) => {
        await this.living(new Promise((resolve) => setImmediate(resolve)));
        return this.living(port(...given));
      };
    };
    const { hosts, robots } = ports;
    return {
      ...ports,
      exchange: wrap(ports.exchange),
      hosts: { load: wrap(hosts.load), save: wrap(hosts.save) },
      robots: robots && { keep: wrap(robots.keep), text: wrap(robots.text) },
      keepBody: wrap(ports.keepBody),
      respond: wrap(ports.respond),
      request: wrap(ports.request),
      putAside: wrap(ports.putAside),
      handBack: wrap(ports.handBack),
      clock: { ...ports.clock, sleep: wrap(ports.clock.sleep) },
    };
  }

  /** The result, if the process lives to see it. */
  private async living<Result>(result: Promise<Result>): Promise<Result> {
    if (this.death.signal.aborted) return never;
    const value = await result.catch((error: unknown) => {
      if (this.death.signal.aborted) return never;
      throw error;
    });
    return this.death.signal.aborted ? never : value;
  }
}
