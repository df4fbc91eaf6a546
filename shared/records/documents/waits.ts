import type { Document } from "./document.ts";

/**
 * The numbers of documents that full lists lack, by the time since which they wait to be asked for. ISO 8601 in UTC.
 * Only the longest waits are counted.
 */
export type Waits = Record<string, number>;

/** Some of the documents that a full list lacks: those that wait since a time, or since before it; all when empty. */
export interface Turn {
  since?: string;
  before?: string;
}

/** The number of waits that are counted: a source with more of them has waited for as many full lists. */
const maxWaits = 100;

/** Names a full list in the documents that it lists. Names sort by the time at which their harvests started. */
export function listMark(harvestId: string, startedAt: string): string {
  return `${startedAt} ${harvestId}`;
}

/** Returns the start of the last full harvest that listed a document or asked for it; "" when there was none. */
function waitsSince({ listedIn, askedIn }: Document): string {
  const [listed, asked] = [startOf(listedIn), startOf(askedIn)];
  return listed > asked ? listed : asked;
}

function startOf(mark = ""): string {
  const [startedAt = ""] = mark.split(" ");
  return Number.isNaN(Date.parse(startedAt)) ? "" : startedAt;
}

export function addWaits(before: Waits, documents: readonly Document[]): Waits {
  const waits = { ...before };
  for (const document of documents) {
    const since = waitsSince(document);
    waits[since] = (waits[since] ?? 0) + 1;
  }
  return Object.fromEntries(longestFirst(waits).slice(0, maxWaits));
}

/**
 * Divides the documents that a full list lacks so that at most `most` of them, asked for in the order of the turns, are
 * those that wait longest. There are two turns at most, because each of them reads all documents of the source.
 */
export function takeTurns(waits: Waits, most: number): Turn[] {
  const sorted = longestFirst(waits);
  let documents = 0;
  const [last] =
    sorted.find(([, count]) => {
      documents += count;
      return documents >= most;
    }) ??
    sorted[maxWaits - 1] ??
    [];
  if (last === undefined) return [{}];
  const [first] = sorted[0] ?? [];
  return first === last ? [{ since: last }] : [{ before: last }, { since: last }];
}

export function isOfTurn(document: Document, { since, before }: Turn): boolean {
  const waiting = waitsSince(document);
  return (since === undefined || waiting === since) && (before === undefined || waiting < before);
}

function longestFirst(waits: Waits): [since: string, documents: number][] {
  return Object.entries(waits).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
