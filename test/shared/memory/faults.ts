import { seededRandom } from "../../../local/cloud/seeded-random.ts";
import { RemoteError } from "../../../shared/core/errors.ts";
import type { Sftp } from "../../../shared/deliver/stage-results/sftp.ts";

/** A call failed by the test: not done, or done and its answer lost. */
class CallFailed extends Error {}

type Method = (...given: unknown[]) => unknown;

/** Lets a share of all calls fail: half of them before they are done, half after. The same seed fails the same calls. */
export class Faults {
  /** Calls failed so far. */
  count = 0;
  private readonly rate: number;
  /** From 0 to 1. */
  readonly random: () => number;

  constructor(rate: number, seed: number) {
    this.rate = rate;
    this.random = seededRandom(seed);
  }

  /** The store, whose calls and whose pages fail. */
  in<Store extends object>(store: Store): Store {
    const wrapped = Object.entries(store).map(([name, method]) => [
      name,
      (...given: unknown[]) => {
        const open = () => (method as Method).apply(store, given);
        const isGenerator = String((method as Method).constructor.name).includes("Generator");
        return isGenerator ? this.pages(open as () => AsyncIterable<unknown>) : this.call(open);
      },
    ]);
    return Object.fromEntries(wrapped) as Store;
  }

  /** Receivers, which refuse logins and hang up. */
  inReceivers(sftp: Sftp): Sftp {
    return {
      withSession: async (to, work) => {
        if (this.strikes()) return { type: "failed", reason: "the receiver refused the login" };
        return sftp.withSession(to, (session) =>
          work(this.in(session)).catch((error: unknown) => {
            throw error instanceof CallFailed ? new RemoteError("the receiver hung up") : error;
          }),
        );
      },
    };
  }

  private async call<Result>(work: () => Result): Promise<Awaited<Result>> {
    const strikes = this.strikes();
    if (strikes && this.random() < 0.5) throw new CallFailed("the call was not done");
    const result = await work();
    if (strikes) throw new CallFailed("the answer was lost");
    return result;
  }

  private async *pages(open: () => AsyncIterable<unknown>): AsyncGenerator<unknown> {
    for await (const page of open()) {
      if (this.strikes()) throw new CallFailed("the page was not read");
      yield page;
    }
  }

  private strikes(): boolean {
    if (this.random() >= this.rate) return false;
    this.count += 1;
    return true;
  }
}
