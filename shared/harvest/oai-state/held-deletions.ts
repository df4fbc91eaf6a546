/** The documents that are named to the operator who decides. */
export const maxExamples = 10;

/**
 * Deletions that an operator has to decide on: see `reconcileList`, `deleteVanished` for folders, and `settleMissing` for
 * files of documents.
 */
export interface HeldDeletions {
  /** The harvest whose list lacks the documents. */
  harvestId: string;
  /** OAI-PMH: the mark of the documents that the list has. A folder: the digest of those that it lacks. Files: `since`. */
  mark: string;
  /** ISO 8601, UTC. */
  since: string;
  /** The documents that it lacks, and those that the source had. */
  documents: number;
  of: number;
  /** The identifiers of some of them. */
  examples: string[];
  /** Set when nothing shows that they are gone, as the repository does not answer GetRecord: why. */
  unconfirmed?: string;
  /** Set when the documents exist, but their files answer 404: `documents` counts files. */
  areFiles?: true;
  /** Set until `source.deletions-held` is published, where no message comes again that publishes it. */
  isUnpublished?: true;
}

/** What ids begin with that concern missing files of documents: the state of a source, and held deletions. */
const ofFiles = "files:";

/** Returns the id under which the state of missing files of a source is stored, beside that of its documents. */
export function fileHoldsOf(sourceId: string): string {
  return `${ofFiles}${sourceId}`;
}

/** Returns the source of the id under which a state is stored. */
export function sourceOfHolds(id: string): string {
  return id.startsWith(ofFiles) ? id.slice(ofFiles.length) : id;
}

/** Returns the `harvestId` of deletions of files that are held since a time. */
export function fileHoldId(since: string): string {
  return `${ofFiles}${since}`;
}

/** Whether held deletions with this `harvestId` are deletions of files. */
export function isFileHold(harvestId: string): boolean {
  return harvestId.startsWith(ofFiles);
}

/** Those of all sources, the latest ones first. */
export type ListHeldDeletions = (limit: number) => Promise<SourceWithHeldDeletions[]>;

/** A source whose last full list lacks too many documents to delete them before an operator decides. */
export interface SourceWithHeldDeletions
  extends Pick<HeldDeletions, "since" | "documents" | "of" | "areFiles"> {
  sourceId: string;
}

/** Lists the sources with missing files, the first of which was missed before this time, and that no operator has to decide on. */
export type ListMissingFiles = (before: string, limit: number) => Promise<string[]>;
