import type { ContentLocation, Document, DocumentContent, DocumentKey } from "./document.ts";
import type { ListMarks } from "./list-marks.ts";

export interface DocumentStore {
  /** Reads the known ones among these documents, in any order, as last written. The ids must be distinct. */
  getMany(sourceId: string, documentIds: string[]): Promise<Document[]>;
  /**
   * Writes a document if the stored document has the previous revision, or if none is stored and the revision is 1.
   * @returns whether it was written
   */
  save(document: Document): Promise<boolean>;
  /** Stores which list has named the document, or has asked for it. This counts as a write. */
  markListed(key: DocumentKey, marks: ListMarks): Promise<void>;
  /**
   * Stores the contents of a page's documents as a single object.
   * @returns their locations, in the order of the contents
   */
  saveContents(sourceId: string, contents: DocumentContent[]): Promise<ContentLocation[]>;
  loadContent(location: ContentLocation): Promise<DocumentContent>;
  /** Lists the documents of a source, sorted by id. `next` continues the list; it is absent at the end. */
  list(
    sourceId: string,
    page: { limit: number; after?: string },
  ): Promise<{ documents: Document[]; next?: string }>;
  /** Returns the number of documents of a source that are not deleted. The number may be a second out of date. */
  countPresent(sourceId: string): Promise<number>;
  /** Lists the documents of a source, the last changed document first. The list may be a second out of date. */
  listByChange(
    sourceId: string,
    page: { limit: number; after?: ChangePosition },
  ): Promise<{ documents: DocumentSummary[]; next?: ChangePosition }>;
  /**
   * Lists the documents whose effects have been pending since before this time. The list may be a second out of date.
   */
  listPending(before: string, limit: number): Promise<DocumentKey[]>;
}

/** A position in the list of a source's documents that is sorted by change. */
export interface ChangePosition {
  changedAt: string;
  documentId: string;
}

/** The fields of a document that lists show. */
export type DocumentSummary = Pick<
  Document,
  "sourceId" | "documentId" | "identifier" | "state" | "title" | "firstListedAt" | "changedAt"
>;
