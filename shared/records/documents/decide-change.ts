import { budgets } from "../../core/budgets.ts";
import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { truncateText } from "../../core/truncate-text.ts";
import { pendingBeforeChange } from "./change-event.ts";
import {
  type ChangedPart,
  currentVersion,
  type Document,
  type DocumentChangeType,
  type DocumentKey,
  type DocumentVersion,
  type FileRequestPolicy,
  type ListedDocument,
  type PendingEffect,
} from "./document.ts";
import { marksOf, type PagePlace } from "./list-marks.ts";

/** The properties that a page has in common for all of its documents. */
export interface Listing {
  /** The time of the source's response. ISO 8601 in UTC. */
  listedAt: string;
  /** Set when the page belongs to a full harvest. */
  harvestId?: string;
  /** Set when the page belongs to a list, to count repetitions. */
  page?: PagePlace;
  /** The policy for requests of files. */
  fileRequests?: FileRequestPolicy;
}

const maxVersions = 10;

/**
 * The number of days after its deletion within which a document that its source lists again counts as the same
 * document, opened. Later, it counts as new.
 */
const undoDays = 30;

/**
 * The time for which SQS keeps a message, also in a dead-letter queue.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
const maxMessageDays = 14;

/**
 * The maximum number of changes of a document that wait for the event bus. A further change is refused, so that the
 * item stays small.
 */
export const maxPending = 60;

/**
 * Returns the document after a listing, without the location of its content. A response that is older than the
 * document's last change changes nothing, because messages may be repeated late.
 * @returns undefined when datestamp and content are unchanged
 */
export function decideChange(
  key: DocumentKey,
  known: Document | undefined,
  listed: ListedDocument,
  listing: Listing,
): Document | undefined {
  const { listedAt, fileRequests } = listing;
  const type = changeType(known, listed, listedAt);
  if (type === undefined) return undefined;
  const last = known && currentVersion(known);
  const hash = contentHash(listed);
  const version: DocumentVersion = {
    version: (last?.version ?? 0) + 1,
    type,
    at: listedAt,
    ...(listed.datestamp !== undefined && { datestamp: listed.datestamp }),
    ...(hash !== undefined && { hash }),
  };
  const title = listed.title ?? known?.title;
  const effects = effectsOf({ version, listed, known, fileRequests });
  const outbox = [...(known === undefined ? [] : stillPending(known, effects)), ...effects];
  const sets = listed.sets ?? known?.sets;
  return {
    ...key,
    identifier: listed.identifier,
    state: type === "deleted" ? "deleted" : "present",
    ...(title !== undefined && { title: truncateText(title) }),
    ...(sets && { sets: keptSets(sets) }),
    versions: [...(known?.versions ?? []), version].slice(-maxVersions) as Document["versions"],
    firstListedAt: known?.firstListedAt ?? listedAt,
    changedAt: listedAt,
    ...marksOf(known, listing),
    outbox,
    pendingSince: known?.pendingSince ?? listedAt,
    revision: (known?.revision ?? 0) + 1,
  };
}

/**
 * Returns the effects that are still pending before a change. The files of a later version replace those of an earlier
 * version.
 */
function stillPending(known: Document, effects: readonly PendingEffect[]): PendingEffect[] {
  const hasFiles = effects.some(({ type }) => type === "files");
  return pendingBeforeChange(known).filter(({ type }) => type !== "files" || !hasFiles);
}

function keptSets(sets: string[]): string[] {
  return sets.filter((spec) => spec.length <= budgets.setSpecChars).slice(0, budgets.sets);
}

function changeType(
  known: Document | undefined,
  listed: ListedDocument,
  listedAt: string,
): DocumentChangeType | undefined {
  if (known === undefined) return listed.isDeleted ? "deleted" : "new";
  const last = currentVersion(known);
  if (isRepeatedLate(listedAt, last.at)) return undefined;
  if (listed.isDeleted) return known.state === "deleted" ? undefined : "deleted";
  if (known.state === "deleted") return isUndone(known, listedAt) ? "opened" : "new";
  return changedParts(known, listed).length > 0 ? "opened" : undefined;
}

/**
 * Decides whether a response may be an earlier message that is repeated after the last change of a document. If the
 * change is later than any message can be, its time came from a wrong clock.
 */
function isRepeatedLate(listedAt: string, changedAt: string): boolean {
  const lateMs = Date.parse(changedAt) - Date.parse(listedAt);
  return lateMs > 0 && lateMs <= maxMessageDays * dayMs;
}

/** Decides whether a listing undoes a deletion. The tombstone of a document that never existed cannot be undone. */
function isUndone(deleted: Document, listedAt: string): boolean {
  const sinceMs = Date.parse(listedAt) - Date.parse(currentVersion(deleted).at);
  return lastPresent(deleted) !== undefined && sinceMs <= undoDays * dayMs;
}

function lastPresent({ versions }: Document): DocumentVersion | undefined {
  return versions.findLast(({ type }) => type !== "deleted");
}

/** Returns the differences from the last version that was not a deletion. */
function changedParts(known: Document, listed: ListedDocument): ChangedPart[] {
  const parts: ChangedPart[] = known.state === "deleted" ? ["state"] : [];
  const last = lastPresent(known) ?? currentVersion(known);
  if (last.datestamp !== listed.datestamp) parts.push("datestamp");
  if (last.hash !== contentHash(listed)) parts.push("content");
  return parts;
}

function contentHash({ content }: Pick<ListedDocument, "content">): string | undefined {
  return content && digest(content.raw);
}

/** Returns the event of a change, and the download of its files. */
function effectsOf({
  version,
  listed,
  known,
  fileRequests,
}: {
  version: DocumentVersion;
  listed: ListedDocument;
  known: Document | undefined;
  fileRequests: FileRequestPolicy | undefined;
}): PendingEffect[] {
  const isOpened = version.type === "opened" && known !== undefined;
  const changes = isOpened ? { changes: changedParts(known, listed) } : {};
  const event: PendingEffect = { type: "change", ...changes };
  if (listed.fileUrls === undefined && version.type !== "deleted") return [event];
  const policy = fileRequests && { policy: fileRequests };
  return [event, { type: "files", version: version.version, urls: listed.fileUrls ?? [], ...policy }];
}
