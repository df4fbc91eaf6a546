import type { ContentLocation, Document, DocumentContent, DocumentKey } from "./document.ts";

export interface DocumentStore {
  /** The known ones of these documents, in any order, as last written. No id may be given twice. */
  getMany(sourceId: string, documentIds: string[]): Promise<Document[]>;
  /**
   * Writes a document if the stored one has the revision before this one's; revision 1 if there is none.
   * @returns whether it was written
   */
  save(document: Document): Promise<boolean>;
  /** Notes that a full harvest has listed the document. It counts as a write. */
  markListed(key: DocumentKey, harvestId: string): Promise<void>;
  /**
   * Stores the contents of a page's documents as one object.
   * @returns their locations, in the order of the contents
   */
  saveContents(sourceId: string, contents: DocumentContent[]): Promise<ContentLocation[]>;
  loadContent(location: ContentLocation): Promise<DocumentContent>;
  /** The documents of a source in the order of their ids. `next` continues the list; absent at its end. */
  list(
    sourceId: string,
    page: { limit: number; after?: string },
  ): Promise<{ documents: Document[]; next?: string }>;
  /** The number of documents of a source that are not deleted. It may lag behind by a second. */
  countPresent(sourceId: string): Promise<number>;
  /** The documents of a source, the last changed one first. It may lag behind by a second. */
  listByChange(
    sourceId: string,
    page: { limit: number; after?: ChangePosition },
  ): Promise<{ documents: DocumentSummary[]; next?: ChangePosition }>;
  /** The documents whose effects have been pending since before this time. It may lag behind by a second. */
  listPending(before: string, limit: number): Promise<DocumentKey[]>;
}

/** A place in the list of a source's documents by change. */
export interface ChangePosition {
  changedAt: string;
  documentId: string;
}

/** What lists show of a document. */
export type DocumentSummary = Pick<
  Document,
  "sourceId" | "documentId" | "identifier" | "state" | "title" | "firstListedAt" | "changedAt"
>;
