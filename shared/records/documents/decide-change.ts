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

/** What a page says about its documents together. */
export interface Listing {
  /** When the source answered. ISO 8601, UTC. */
  listedAt: string;
  /** Set when the page is one of a full harvest. */
  harvestId?: string;
  /** How files are requested. */
  fileRequests?: FileRequestPolicy;
}

const maxVersions = 10;

/** A document that its source lists again as soon after its deletion is the same one, opened; later, it is new. */
const undoDays = 30;

/** A change that waits longer for the event bus than this many others is refused, so that the item stays small. */
export const maxPending = 60;

/**
 * The document after a listing, without its content's location; undefined when it is unchanged: same datestamp and
 * content. An answer that is older than the document's last change changes nothing: messages may be repeated late.
 */
export function decideChange(
  key: DocumentKey,
  known: Document | undefined,
  listed: ListedDocument,
  { listedAt, harvestId, fileRequests }: Listing,
): Document | undefined {
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
  const listedIn = harvestId ?? known?.listedIn;
  return {
    ...key,
    identifier: listed.identifier,
    state: type === "deleted" ? "deleted" : "present",
    ...(title !== undefined && { title: truncateText(title) }),
    ...(sets && { sets: keptSets(sets) }),
    versions: [...(known?.versions ?? []), version].slice(-maxVersions) as Document["versions"],
    firstListedAt: known?.firstListedAt ?? listedAt,
    changedAt: listedAt,
    ...(listedIn !== undefined && { listedIn }),
    outbox,
    pendingSince: known?.pendingSince ?? listedAt,
    revision: (known?.revision ?? 0) + 1,
  };
}

/** What is pending before a change. The files of a later version replace those of an earlier one. */
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
  if (listedAt < last.at) return undefined;
  if (listed.isDeleted) return known.state === "deleted" ? undefined : "deleted";
  if (known.state === "deleted") return isUndone(known, listedAt) ? "opened" : "new";
  return changedParts(known, listed).length > 0 ? "opened" : undefined;
}

/** A tombstone of a document that was never there has nothing to return to. */
function isUndone(deleted: Document, listedAt: string): boolean {
  const sinceMs = Date.parse(listedAt) - Date.parse(currentVersion(deleted).at);
  return lastPresent(deleted) !== undefined && sinceMs <= undoDays * dayMs;
}

function lastPresent({ versions }: Document): DocumentVersion | undefined {
  return versions.findLast(({ type }) => type !== "deleted");
}

/** The differences from the last version that was not a deletion. */
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

/** The event of a change, and the download of its files. */
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
