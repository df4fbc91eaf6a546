import type { LookupFunction } from "node:net";
import type { Resolve } from "./resolve.ts";

/** How a connection learns that its host has no address it may use; `reason` is that of the exchange's outcome. */
export class LookupError extends Error {
  override readonly name = "LookupError";
  readonly reason: "dns" | "address";

  constructor(reason: "dns" | "address", message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Makes the lookup that connections use: the addresses that it judges are the very ones that are connected to, so an
 * answer that changes between two lookups gains nothing. Forbidden addresses among others are dropped, because hosts
 * do publish private ones beside their public ones by mistake; when only forbidden ones are left the host is refused.
 * @param withinMs what a name may take
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

/** Ends in time also when the resolver does not heed its signal. */
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
