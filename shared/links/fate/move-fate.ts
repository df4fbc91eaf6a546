import type { Fate, FateStatus, StatusChange } from "./fate.ts";
import { tellUntold, withUntold } from "./untold.ts";

/** Whose fate it is, a record's or a collection's: how it is read and written, and who is told of a move. */
export interface KeptFate<Subject> {
  /** As it is now; undefined when there is none. */
  read(): Promise<Subject | undefined>;
  fateOf(subject: Subject): Fate | undefined;
  /** What others see of the subject with this fate. */
  statusOf(subject: Subject, fate: Fate | undefined): FateStatus;
  /** Writes a fate if it is still the one that was read; `false` otherwise. */
  write(subject: Subject, fate: Fate, was: Fate | undefined): Promise<boolean>;
  /** Tells of a change. May be done twice. @throws RemoteError when all have been told that can be */
  tell(subject: Subject, change: StatusChange): Promise<void>;
}

/** The same, with what else follows from a move. */
export interface FateKeeper<Subject> extends KeptFate<Subject> {
  /** Has the next attempt made when it is due. May be done twice. */
  schedule(subject: Subject, fate: Fate): Promise<void>;
}

/**
 * Reads a fate, decides, and writes what was decided, again and again until nobody else has moved it in between; then does
 * what follows. Changes that are still to be told stay with the fate, also when it is moved on: so a check that overtakes
 * one that broke off tells of both.
 * @param checkId who decides: a fate that it has moved before is followed again
 * @param decide gives the new fate; undefined when it stays as it is
 * @returns undefined when there is no such subject
 */
export async function moveFate<Subject>(
  checkId: string,
  keeper: FateKeeper<Subject>,
  decide: (fate: Fate | undefined, subject: Subject) => Fate | undefined,
): Promise<{ subject: Subject; isMoved: boolean } | undefined> {
  for (;;) {
    const subject = await keeper.read();
    if (subject === undefined) return undefined;
    const was = keeper.fateOf(subject);
    const decided = decide(was, subject);
    const next = decided && withUntold(decided, was, (fate) => keeper.statusOf(subject, fate));
    if (next !== undefined && !(await keeper.write(subject, next, was))) continue;
    const fate = next ?? was;
    if (fate?.checkId === checkId && fate.nextAttemptAt !== undefined) await keeper.schedule(subject, fate);
    if (fate?.untold !== undefined) await tellUntold(checkId, { subject, fate }, keeper);
    return { subject, isMoved: next !== undefined };
  }
}
