import type { Clock } from "./clock.ts";
import { PlatformError } from "./errors.ts";

/**
 * The exclusive right to do something until a certain time. A holder that dies therefore blocks others only until that
 * time. A holder whose lease has expired must not write anything. It extends the lease before each step, and stops if
 * it cannot extend the lease.
 */
export interface Lease {
  /** The key of the protected work, such as `upload#live-20261120T190000Z`. */
  key: string;
  /**
   * A name that only one claimant has. A claimant recognises its own lease by this name if the response to its claim
   * was lost.
   */
  holder: string;
  /** Milliseconds since 1970. */
  untilMs: number;
  /** Information for others that find the lease taken. */
  note?: Record<string, string>;
}

export interface LeaseStore {
  /**
   * Writes the lease in one conditional write, unless another holder has a lease that has not expired at `nowMs`. A
   * holder extends its lease by claiming it again.
   * @returns the lease in force: the given lease, or that of the other holder
   */
  claim(lease: Lease, nowMs: number): Promise<Lease>;
  /** Ends the holder's lease. A lease of another holder is unchanged. */
  release(lease: Pick<Lease, "key" | "holder">): Promise<void>;
  /** Returns the keys that have a lease at `nowMs`. This is one read, whose result may be outdated by a second. */
  leasedKeys(keys: string[], nowMs: number): Promise<ReadonlySet<string>>;
}

export interface LeasePorts {
  leases: LeaseStore;
  clock: Pick<Clock, "now">;
}

interface LeaseRequest {
  key: string;
  forMs: number;
  note?: Record<string, string>;
}

/** Decides whether a lease is in force at a time, so that it excludes other holders. */
export function isInForce(lease: Pick<Lease, "untilMs"> | undefined, nowMs: number): boolean {
  return lease !== undefined && lease.untilMs > nowMs;
}

/**
 * Works under a lease. The lease is released at the end, even after an error.
 * @param work receives a function that extends the lease by the same time. That function returns `false` when another
 * holder now has the lease
 * @returns the result of the work, or the lease of another holder
 */
export async function withLease<Result>(
  { key, forMs, note }: LeaseRequest,
  { leases, clock }: LeasePorts,
  work: (extend: () => Promise<boolean>) => Promise<Result>,
): Promise<{ type: "done"; result: Result } | { type: "taken"; lease: Lease }> {
  const holder = crypto.randomUUID();
  const claim = () => {
    const nowMs = clock.now().getTime();
    return leases.claim({ key, holder, untilMs: nowMs + forMs, ...(note && { note }) }, nowMs);
  };
  const lease = await claim();
  if (lease.holder !== holder) return { type: "taken", lease };
  try {
    return { type: "done", result: await work(async () => (await claim()).holder === holder) };
  } finally {
    await leases.release({ key, holder });
  }
}

/** The number of renewals within the duration of a lease. Three consecutive renewals may fail. */
const renewalsPerLease = 4;

/**
 * Works under a lease that is renewed while the work lasts. The lease can therefore be short, so a holder that dies
 * blocks others only for that short time and not for the longest duration of the work.
 * @param work receives a function that must be called before each step. That function throws a PlatformError when the
 * lease could not be renewed, so that another holder may have it
 */
export async function withRenewedLease<Result>(
  request: LeaseRequest,
  ports: LeasePorts,
  work: (assertHeld: () => void) => Promise<Result>,
): Promise<{ type: "done"; result: Result } | { type: "taken"; lease: Lease }> {
  const nowMs = () => ports.clock.now().getTime();
  let heldUntilMs = nowMs() + request.forMs;
  return withLease(request, ports, async (extend) => {
    let renewal: Promise<void> | undefined;
    const renew = async () => {
      const untilMs = nowMs() + request.forMs;
      heldUntilMs = (await extend()) ? untilMs : 0;
    };
    const timer = setInterval(() => {
      renewal ??= renew()
        .catch(() => {})
        .finally(() => {
          renewal = undefined;
        });
    }, request.forMs / renewalsPerLease).unref();
    try {
      return await work(() => {
        if (nowMs() >= heldUntilMs) throw new PlatformError(`the lease ${request.key} has expired`);
      });
    } finally {
      clearInterval(timer);
      // A renewal after the release would claim the lease again.
      await renewal;
    }
  });
}

/**
 * Claims one of several equivalent keys, such as the slots of a server. It first reads which keys are taken, because a
 * read costs less than a refused write for each key. It begins at a random key, so that claimants do not all compete
 * for the first key.
 * @returns undefined when all keys are taken
 */
export async function claimAny(
  keys: string[],
  forMs: number,
  { leases, clock, random }: LeasePorts & { random(): number },
): Promise<Lease | undefined> {
  const taken = await leases.leasedKeys(keys, clock.now().getTime());
  const free = keys.filter((key) => !taken.has(key));
  const first = Math.floor(random() * free.length);
  const holder = crypto.randomUUID();
  for (const key of [...free.slice(first), ...free.slice(0, first)]) {
    const nowMs = clock.now().getTime();
    const lease = await leases.claim({ key, holder, untilMs: nowMs + forMs }, nowMs);
    if (lease.holder === holder) return lease;
  }
  return undefined;
}
