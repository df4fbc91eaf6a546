import type { LookupFunction } from "node:net";
import type { Resolve } from "./resolve.ts";

/** Tells a connection that its host has no allowed address. `reason` becomes the reason of the exchange's outcome. */
export class LookupError extends Error {
  override readonly name = "LookupError";
  readonly reason: "dns" | "address";

  constructor(reason: "dns" | "address", message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Creates the lookup function of connections. A connection uses the addresses that were checked, so DNS rebinding (a
 * DNS response that changes between two lookups) has no effect. Forbidden addresses are dropped if the host also has
 * allowed ones, because some hosts publish private addresses by mistake. A host with only forbidden addresses is
 * refused.
 * @param withinMs the longest duration of a lookup
 */
export function guardedLookup(
  resolve: Resolve,
  isForbidden: (address: string) => boolean,
  withinMs: number,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveWithin(withinMs, hostname, resolve).then(
      (found) => {
        const allowed = found.filter(({ address }) => !isForbidden(address));
        const [first] = allowed;
        if (first !== undefined) {
          if (options.all) callback(null, allowed);
          else callback(null, first.address, first.family);
        } else if (found[0] === undefined) {
          callback(new LookupError("dns", `${hostname} has no address`), "");
        } else {
          const addresses = found.map(({ address }) => address).join(", ");
          callback(new LookupError("address", `${hostname} has no public address, only ${addresses}`), "");
        }
      },
      (error) => callback(new LookupError("dns", error instanceof Error ? error.message : String(error)), ""),
    );
  };
}

/** Settles in time even if the resolver ignores its signal. */
async function resolveWithin(ms: number, hostname: string, resolve: Resolve): ReturnType<Resolve> {
  const giveUp = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`the name ${hostname} could not be resolved within ${ms / 1000} s`));
    giveUp.abort();
  }, ms);
  try {
    return await Promise.race([resolve(hostname, giveUp.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
