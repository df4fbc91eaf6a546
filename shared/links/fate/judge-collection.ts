import type { Clock } from "../../core/clock.ts";
import type { CollectionStore, Events, Mailer, Rechecks, SweepStore } from "../../ports.ts";
import { changeOf } from "../report/statistics.ts";
import { statusMail } from "../report/status-mail.ts";
import { conclude, type Finding, openSweep, type SweepPorts } from "../sweep/sweep.ts";
import { type Collection, collectionRules, isLeftAlone } from "./collection.ts";
import { advance, type Fate } from "./fate.ts";

export interface JudgeCollectionPorts {
  collections: Pick<CollectionStore, "get" | "fate" | "moveFate">;
  sweeps: SweepStore;
  records: SweepPorts["records"];
  rechecks: Rechecks;
  events: Events;
  mailer: Mailer;
  /** Who is told of all collections. */
  recipients: string[];
  clock: Clock;
}

/** Adds a finding to its sweep; the one that completes it moves the collection's fate on, unless it is to be left alone. */
export async function judgeCollection(
  { checkId, sweepId }: { checkId: string; sweepId: string },
  { verdict, reason, isOurLimit }: Finding,
  ports: JudgeCollectionPorts,
): Promise<void> {
  const finding = { verdict, reason, ...(isOurLimit && { isOurLimit }) };
  const sweep = await ports.sweeps.gather(sweepId, checkId, finding);
  const conclusion = sweep && conclude(sweep);
  if (sweep === undefined || conclusion === undefined) return;
  const { collectionId, askedAt, attempt } = sweep;
  const collection = await ports.collections.get(collectionId);
  if (collection === undefined || isLeftAlone(collection)) return;
  for (;;) {
    const known = await ports.collections.fate(collectionId);
    const rules = { ...collectionRules(collection), now: ports.clock.now() };
    const step = advance(known, { checkId: sweepId, askedAt, attempt, ...conclusion }, rules);
    if (step.type === "ignored") return;
    // Somebody else has moved it meanwhile: it is decided anew.
    if (step.type === "moved" && !(await ports.collections.moveFate(collectionId, step.fate, known)))
      continue;
    return follow(step.fate, collection, ports);
  }
}

/** What follows from a fate's last move. All of it may be done twice; a repeated mail has the same id. */
async function follow(fate: Fate, collection: Collection, ports: JudgeCollectionPorts): Promise<void> {
  const { failures, nextAttemptAt, checkId, status, since, reason } = fate;
  const { collectionId, title } = collection;
  if (nextAttemptAt !== undefined) {
    const requests = await openSweep(
      collection,
      { askedAt: nextAttemptAt, attempt: failures, isNow: false },
      ports,
    );
    for (const request of requests) await ports.rechecks.at(nextAttemptAt, request);
  }
  if (!fate.isChange) return;
  await ports.events.publish({
    type: `collection.${changeOf(status)}`,
    changeId: `${collectionId}/${checkId}`,
    detail: { collectionId, title, reason, since },
  });
  // The mail comes last: what is refused to an address must not keep the others from being told.
  const mail = statusMail(collection, fate, ports.recipients);
  if (mail.to.length > 0) await ports.mailer.send(mail);
}
