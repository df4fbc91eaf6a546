import { ThrottledError } from "../../core/errors.ts";
import type { BodyMemory, BodyPlace } from "../exchange/body-memory.ts";
import type { HostLease } from "./host-lease.ts";
import type { RequestStep } from "./host-outcomes.ts";
import { countSlotWait, withoutSlotWaits } from "./host-state.ts";

/**
 * The wait of a host while all slots of its transport, or all places for large bodies, are taken. It starts at `first`,
 * doubles each time and ends at `most`. A message may be received a thousand times. With the longest wait, these
 * receives last eight hours, which is longer than a run.
 */
const slotWaitMs = { first: 2000, most: 30_000 };

/** Returns the host's requests to the queue until a slot may be free. @param random in [0, 1) */
export function waitForSlot(lease: HostLease, random: number): RequestStep {
  const { slotWaits = 0 } = lease.state;
  lease.update(countSlotWait(lease.state));
  const fullMs = Math.min(slotWaitMs.first * 2 ** slotWaits, slotWaitMs.most);
  return { type: "later", waitMs: Math.round(fullMs * (0.75 + random / 2)) };
}

export function endSlotWaits(lease: HostLease): void {
  if (lease.state.slotWaits !== undefined) lease.update(withoutSlotWaits(lease.state));
}

/**
 * Takes a step whose response may be large. The body keeps its place until it has been stored, which may be after the
 * step. If no place is free, the request is made again later, and no attempt is counted.
 */
export async function withBodyPlace(
  lease: HostLease,
  { bodyMemory, random }: { bodyMemory: BodyMemory | undefined; random(): number },
  take: (place: BodyPlace | undefined) => Promise<RequestStep>,
): Promise<RequestStep> {
  const place = bodyMemory?.open();
  const release = () => place?.release();
  try {
    const step = await take(place);
    endSlotWaits(lease);
    return step;
  } catch (error) {
    if (error instanceof ThrottledError) return waitForSlot(lease, random());
    throw error;
  } finally {
    void lease.pendingWrite.flush().then(release, release);
  }
}
