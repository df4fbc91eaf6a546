import type { Clock } from "./clock.ts";
import { PlatformError } from "./errors.ts";

/**
 * The right to do something alone until a time. A holder that dies blocks the others until then, and no longer. A holder
 * whose lease has run out must write nothing more: it extends the lease before each step, and stops when it cannot.
 */
export interface Lease {
  /** What is held, such as `upload#live-20261120T190000Z`. */
  key: string;
  /** Unique to one claimant: it recognises its own lease when the answer to its claim was lost. */
  holder: string;
  /** Milliseconds since 1970. */
  untilMs: number;
  /** What the holder tells those who find the lease taken. */
  note?: Record<string, string>;
}

export interface LeaseStore {
  /**
   * Writes the lease in one conditional write, unless another holder has one that has not run out at `nowMs`. A holder
   * extends its lease by claiming it again.
   * @returns the lease in force: the given one, or the other holder's
   */
  claim(lease: Lease, nowMs: number): Promise<Lease>;
  /** Ends the holder's lease. A lease of another holder stays. */
  release(lease: Pick<Lease, "key" | "holder">): Promise<void>;
  /** The keys that have a lease at `nowMs`, in one read that may lag behind by a second. */
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

/** Whether a lease bars others at a time. */
export function isInForce(lease: Pick<Lease, "untilMs"> | undefined, nowMs: number): boolean {
  return lease !== undefined && lease.untilMs > nowMs;
}

/**
 * Works under a lease, and releases it at the end, also after an error.
 * @param work gets a function that extends the lease by the same time; `false` when another holder has it by now
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

/** How often a lease is renewed while it lasts: three calls in a row may fail. */
const renewalsPerLease = 4;

/**
 * As `withLease`, with a lease that is renewed while the work lasts. So it is short, and a holder that dies blocks the
 * others for that time and not for as long as the work may take.
 * @param work gets a function to call before each step: it throws a PlatformError when the lease could not be renewed and
 * another holder may have it
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
        if (nowMs() >= heldUntilMs) throw new PlatformError(`the lease ${request.key} has run out`);
      });
    } finally {
      clearInterval(timer);
      // A renewal after the release would claim the lease again.
      await renewal;
    }
  });
}

/**
 * Claims one of several keys that mean the same, such as the slots of a server. It looks before it claims, as a read costs
 * less than a refused write for each key, and begins anywhere, so that claimants do not all compete for the first key.
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
