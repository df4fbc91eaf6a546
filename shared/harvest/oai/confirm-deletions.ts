import type { Clock } from "../../core/clock.ts";
import type { OaiAnswer } from "../../formats/oai/answer.ts";
import type { Completeness } from "../../formats/oai/completeness.ts";
import { isInSets, judgeGetRecord, type RecordEvidence } from "../../formats/oai/get-record.ts";
import type { OaiRecord } from "../../formats/oai/page.ts";
import type { Document } from "../../records/documents/document.ts";
import { recordIdOf } from "../../records/documents/document-identity.ts";
import { type KeepPorts, keepDocuments } from "../../records/documents/keep-documents.ts";
import { findUnlisted, isMarked } from "../../records/documents/reconcile.ts";
import { isOfTurn, type Turn, takeTurns, type Waits } from "../../records/documents/waits.ts";
import type { OaiHarvestStore } from "../oai-state/harvest-state.ts";
import type { HeldDeletions } from "../oai-state/held-deletions.ts";
import { type FullList, withCheckpoints } from "./reconcile-list.ts";

/**
 * How far the repository has been asked for the documents that its full list lacks, with one GetRecord after the other.
 * JSON, in the context of these requests.
 */
export interface Confirmation {
  /** How the list ended by its own word, and by what is known of its repository. */
  stated: Completeness;
  completeness: Completeness;
  /** What the list lacked. */
  absent: HeldDeletions;
  listedAt: string;
  /** An identifier that the list has: the repository must have its record, too, to be believed. It is asked for first. */
  control?: string;
  /** Identifiers: the first one is being asked for. */
  pending: string[];
  /** Which further documents are asked for, in this order; empty when there are none. */
  turns: Turn[];
  /** The id of the document after which those of the first turn are looked for; absent at its beginning. */
  after?: string;
  /** Records that were asked for, and how many more may be, `pending` included. */
  asked: number;
  left: number;
  /** Tries at the present question that had no usable response. */
  failures?: number;
  /** Records of which no response said whether they exist; the latest ones in a row, and all. */
  unknownInARow: number;
  unknown: number;
  /** Set when the repository could not be asked for one of them: it may answer later. */
  isOutage?: true;
  /** Why the last of them did not. */
  reason?: string;
}

interface ConfirmPorts {
  kept: KeepPorts;
  oaiHarvests: OaiHarvestStore;
  clock: Clock;
}

/** The GetRecord requests after a list that has fewer pages, at most; else, as many as the list has pages. */
const minAsked = 100;

/** The most identifiers that are found at a time; they are part of the context of each request. */
const maxPending = 20;

/** How often a question is asked that has no usable response. The gate has repeated each request before. */
const maxFailures = 3;

/** The number of unanswered GetRecord requests in a row after which no more are sent. */
const maxUnknownInARow = 3;

/**
 * Begins to ask for the documents that a list lacks; undefined when there are none.
 * @param ending.isReleased an operator has released all of them: the repository is asked for each
 * @param ending.waits those that wait longest are asked for
 */
export async function beginConfirmation(
  list: FullList,
  {
    isReleased,
    waits,
    ...ending
  }: Pick<Confirmation, "stated" | "completeness" | "absent"> & {
    isReleased?: true | undefined;
    waits: Waits;
  },
  ports: ConfirmPorts,
): Promise<Confirmation | undefined> {
  const { listedAt, progress, limits } = list;
  const most = limits.maxQuestions ?? Math.max(minAsked, progress.pages);
  const left = Math.max(most, isReleased ? ending.absent.documents : 0);
  const counts = { asked: 0, left, unknownInARow: 0, unknown: 0 };
  const turns = isReleased ? [{}] : takeTurns(waits, left);
  return lookForMore({ ...ending, listedAt, pending: [], turns, ...counts }, list, ports);
}

/**
 * Deletes the document that was asked for if the repository says that its record is gone.
 * @returns the record if it exists, and what to ask for next; without `next`, all has been asked
 */
export async function confirmDeletion(
  confirmation: Confirmation,
  answer: OaiAnswer,
  { list, sets, answeredAt }: { list: FullList; sets: readonly string[]; answeredAt: string },
  ports: ConfirmPorts,
): Promise<{ record?: OaiRecord; ended: Confirmation; next?: Confirmation }> {
  const [identifier = "", ...pending] = confirmation.pending;
  const evidence = judgeGetRecord(answer, {
    identifier,
    sets: await setsThatItHad(identifier, list, sets, ports),
  });
  const { failures = 0, ...known } = confirmation;
  const isUnknown = evidence.type === "unknown";
  const isOutage = isUnknown && evidence.mayPass === true;
  if (isOutage && failures + 1 < maxFailures) {
    const again = { ...known, failures: failures + 1 };
    return { ended: again, next: again };
  }
  const outage = isOutage && { isOutage };
  if (identifier === known.control) return believe({ ...known, pending, ...outage }, evidence);
  if (evidence.type === "gone") {
    const documents = [{ identifier: [identifier] as const, isDeleted: true }];
    await keepDocuments({ sourceId: list.sourceId, listedAt: answeredAt, documents }, ports.kept);
  }
  if (isUnknown) await noteAsked(identifier, list, ports);
  const answered: Confirmation = {
    ...known,
    ...outage,
    pending,
    asked: known.asked + 1,
    left: known.left - 1,
    unknownInARow: isUnknown ? known.unknownInARow + 1 : 0,
    unknown: known.unknown + (isUnknown ? 1 : 0),
    ...(isUnknown && { reason: evidence.reason }),
  };
  const isOver = answered.left <= 0 || isWithoutAnswers(answered);
  const next = isOver ? undefined : await lookForMore(answered, list, ports);
  const ended = isOver ? answered : { ...answered, turns: [] };
  return { ...(evidence.type === "present" && { record: evidence.record }), ended, ...(next && { next }) };
}

/** A document of which no response says whether it exists must not keep others from being asked for. */
async function noteAsked(
  identifier: string,
  { sourceId, mark }: FullList,
  { kept }: ConfirmPorts,
): Promise<void> {
  const documentId = recordIdOf({ sourceId, identifier: [identifier] });
  await kept.documents.markListed({ sourceId, documentId }, { askedIn: mark });
}

/** A repository that denies a record of its own list is not believed: its database may be down. */
function believe(
  confirmation: Confirmation,
  evidence: RecordEvidence,
): { ended: Confirmation; next?: Confirmation } {
  if (evidence.type === "present") return { ended: confirmation, next: confirmation };
  const reason =
    evidence.type === "unknown" ? evidence.reason : "GetRecord denies a record that the list has";
  return { ended: { ...confirmation, unknownInARow: maxUnknownInARow, reason } };
}

/** The sets that were listed, if the record was in one of them by its own header: some sets are in no header. */
async function setsThatItHad(
  identifier: string,
  { sourceId }: FullList,
  sets: readonly string[],
  { kept }: ConfirmPorts,
): Promise<readonly string[]> {
  if (sets.length === 0) return sets;
  const [document] = await kept.documents.getMany(sourceId, [
    recordIdOf({ sourceId, identifier: [identifier] }),
  ]);
  return isInSets(document?.sets ?? [], sets) ? sets : [];
}

/**
 * The deletions that an operator has to decide on, because the repository does not say whether the records exist; undefined
 * when it does.
 */
export function withoutEvidence(confirmation: Confirmation): HeldDeletions | undefined {
  const { absent, asked, unknown, reason = "" } = confirmation;
  if (!isSilent(confirmation)) return undefined;
  const documents = absent.documents - (asked - unknown);
  return { ...absent, documents, unconfirmed: reason };
}

/** Why the repository could not be asked for some of the documents; undefined when it could. */
export function outageOf({ isOutage, reason }: Confirmation): string | undefined {
  return isOutage && reason;
}

/** All records may be fewer than show that a repository does not know GetRecord. */
function isSilent(confirmation: Confirmation): boolean {
  const { unknown, asked, pending, turns } = confirmation;
  const isAll = pending.length === 0 && turns.length === 0;
  return isWithoutAnswers(confirmation) || (isAll && unknown > 0 && unknown === asked);
}

function isWithoutAnswers({ unknownInARow }: Confirmation): boolean {
  return unknownInARow >= maxUnknownInARow;
}

/** With identifiers to ask for; undefined when there are no more. @throws UnfinishedList */
async function lookForMore(
  confirmation: Confirmation,
  list: FullList,
  ports: ConfirmPorts,
): Promise<Confirmation | undefined> {
  const { listedAt, left, asked, control, turns } = confirmation;
  if (confirmation.pending.length > 0) return confirmation;
  const [turn, ...otherTurns] = turns;
  if (turn === undefined) return undefined;
  const { after: _before, ...others } = confirmation;
  const { sourceId } = list;
  const state = await ports.oaiHarvests.get(sourceId);
  const { reconciled } = state ?? {};
  const known = reconciled?.harvestId === list.harvestId ? reconciled.lookedUpTo : undefined;
  const from = [confirmation.after, known?.turns === turns.length ? known.after : undefined]
    .filter((each) => each !== undefined)
    .sort()
    .at(-1);
  const isWanted = (document: Document) => isOfTurn(document, turn) && document.askedIn !== list.mark;
  const pages = findFirstUnlisted(
    sourceId,
    { isListed: isMarked(list.mark), listedAt, after: from, isWanted },
    ports.kept,
  );
  const found = await withCheckpoints(
    pages,
    ({ after }) => ({ lookedUpTo: { after, turns: turns.length } }),
    { list, ports },
  );
  if (found.unlisted.length === 0) return lookForMore({ ...others, turns: otherTurns }, list, ports);
  const pending = found.unlisted.slice(0, Math.min(maxPending, left));
  const rest = pending.length < found.unlisted.length ? pending.at(-1)?.documentId : found.after;
  const identifiers = pending.map(({ identifier: [first] }) => first);
  const [listed] = found.listed?.identifier ?? [];
  const first = control === undefined && asked === 0 ? listed : undefined;
  return {
    ...others,
    ...(first !== undefined && { control: first }),
    pending: first === undefined ? identifiers : [first, ...identifiers],
    ...(rest === undefined ? { turns: otherTurns } : { after: rest }),
  };
}

/** Pages of documents up to the first one that has some that the list lacks. */
async function* findFirstUnlisted(...args: Parameters<typeof findUnlisted>): ReturnType<typeof findUnlisted> {
  const pages = findUnlisted(...args);
  for (;;) {
    const { value, done } = await pages.next();
    if (done || value.unlisted.length > 0) return value;
    yield value;
  }
}
