import { RemoteError } from "../../core/errors.ts";
import type { Fate, FateStatus, StatusChange, UntoldChange } from "./fate.ts";
import type { KeptFate } from "./move-fate.ts";

/** So many changes whose mails are refused are kept for their checks to come again; each is 300 bytes of an item. */
const mostRefused = 10;

/** A fate with what is still to be told: what was before it, and its own change of status, if it is one. */
export function withUntold(
  fate: Fate,
  was: Fate | undefined,
  statusOf: (fate: Fate | undefined) => FateStatus,
): Fate {
  const { since, checkId, reason, nextAttemptAt } = fate;
  const status = statusOf(fate);
  const change = { status, since, checkId, reason, ...(nextAttemptAt !== undefined && { nextAttemptAt }) };
  const untold = [...withoutOldRefused(was?.untold ?? []), ...(status === statusOf(was) ? [] : [change])];
  return untold.length === 0 ? fate : { ...fate, untold };
}

function withoutOldRefused(untold: UntoldChange[]): UntoldChange[] {
  const kept = new Set(untold.filter(({ isRefused }) => isRefused).slice(-mostRefused));
  return untold.filter((change) => !change.isRefused || kept.has(change));
}

/**
 * Tells what is untold, and keeps what cannot be told. What is refused is told again only when the check that made the
 * change comes again: if every check of the collection told it, each would end in the dead-letter queue, for ever.
 * @throws what telling has thrown first
 */
export async function tellUntold<Subject>(
  checkId: string,
  { subject, fate }: { subject: Subject; fate: Fate },
  keeper: KeptFate<Subject>,
): Promise<void> {
  const { untold = [], ...rest } = fate;
  const wanted = untold.filter((change) => !change.isRefused || change.checkId === checkId);
  const failed = await tellEach(wanted, (change) => keeper.tell(subject, change));
  const isToldNow = (change: UntoldChange) => wanted.includes(change) && !failed.has(change);
  const isRefusedNow = (change: UntoldChange) =>
    !change.isRefused && failed.get(change) instanceof RemoteError;
  if (untold.some((change) => isToldNow(change) || isRefusedNow(change))) {
    const left = untold
      .filter((change) => !isToldNow(change))
      .map((change) => (isRefusedNow(change) ? { ...change, isRefused: true as const } : change));
    // Whoever has moved it on meanwhile has taken over what was untold, and tells it once more.
    await keeper.write(subject, left.length === 0 ? rest : { ...rest, untold: left }, fate);
  }
  for (const error of failed.values()) throw error;
}

/**
 * Tells of changes, in their order. What cannot be told keeps nothing else from it.
 * @returns what telling has thrown, by change
 */
export async function tellEach<Change extends StatusChange>(
  changes: readonly Change[],
  tell: (change: Change) => Promise<void>,
): Promise<Map<Change, unknown>> {
  const failed = new Map<Change, unknown>();
  for (const change of changes) {
    await tell(change).catch((error: unknown) => failed.set(change, error));
  }
  return failed;
}
