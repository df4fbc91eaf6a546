import { budgets } from "../../core/budgets.ts";
import { PlatformError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { decideChange, type Listing, maxPending } from "./decide-change.ts";
import {
  type ContentLocation,
  currentVersion,
  type Document,
  type DocumentChangeType,
  type ListedDocument,
} from "./document.ts";
import { recordIdOf } from "./document-identity.ts";
import type { DocumentStore } from "./document-store.ts";
import { type DrainPorts, drainOutboxes, maxWriteTries } from "./drain-outbox.ts";
import { isRepetition, marksOf } from "./list-marks.ts";

/** Documents of one page of a source. */
export interface DocumentPage extends Listing {
  sourceId: string;
  documents: ListedDocument[];
}

/** The outcome of a listed document. Each identifier has one outcome. */
export interface DocumentOutcome {
  identifier: ListedDocument["identifier"];
  documentId: string;
  /** `refused` means that the document was not stored, for the given reason. */
  outcome: DocumentChangeType | "unchanged" | "refused";
  reason?: string;
  /** Set when an earlier page of the list has named the document. */
  isRepeated?: true;
}

export interface KeepPorts extends DrainPorts {
  documents: DocumentStore;
}

/** The number of documents that are read together, and whose contents are stored together. */
const batchSize = 500;
const maxParallel = 16;

/**
 * Stores the documents of a page: saves new and changed documents, makes tombstones of deleted documents, and publishes
 * each change. If the work was interrupted, it can be repeated with the same page: stored documents are not stored
 * again, and events that are still pending are published. A page takes the following writes: one object for each 500
 * changed documents; two items for each changed document; in a list, one item for each unchanged document; none for all
 * others.
 * @returns the outcomes, in the order in which the page first names the documents
 * @throws PlatformError when too many processes write a document at once, or the event bus does not accept its events
 */
export async function keepDocuments(page: DocumentPage, ports: KeepPorts): Promise<DocumentOutcome[]> {
  const { refused, listed } = admitDocuments(page);
  const outcomes: DocumentOutcome[] = [];
  for (const batch of inBatches([...listed], batchSize)) {
    outcomes.push(...(await keepBatch(new Map(batch), page, ports)));
  }
  return [...outcomes, ...refused];
}

/**
 * Returns the documents to store, by id. If a document is listed twice, the version with the latest datestamp is used,
 * or the last version if the datestamps are equal.
 */
function admitDocuments({ sourceId, documents }: DocumentPage): {
  refused: DocumentOutcome[];
  listed: Map<string, ListedDocument>;
} {
  const refused: DocumentOutcome[] = [];
  const listed = new Map<string, ListedDocument>();
  for (const document of documents) {
    const { identifier } = document;
    const reason = refusalReason(document);
    if (reason !== undefined) {
      refused.push({ identifier, documentId: "", outcome: "refused", reason });
      continue;
    }
    const documentId = recordIdOf({ sourceId, identifier });
    const other = listed.get(documentId);
    if (other === undefined || (other.datestamp ?? "") <= (document.datestamp ?? "")) {
      listed.set(documentId, document);
    }
  }
  return { refused, listed };
}

/** Returns why a document cannot be stored: it is empty, or too large for an item. */
export function refusalReason({
  identifier,
  datestamp = "",
  isDeleted,
  content,
  fileUrls = [],
}: ListedDocument): string | undefined {
  const { identifierChars, datestampChars, files, fileUrlBytes } = budgets;
  const text = identifier.join("");
  if (text.trim() === "") return "identifier: is empty";
  if (text.includes("\0")) return "identifier: contains U+0000";
  if (text.length > identifierChars) return `identifier: has more than ${identifierChars} characters`;
  if (datestamp.length > datestampChars) return `datestamp: has more than ${datestampChars} characters`;
  if (fileUrls.length > files) return `files: more than ${files} (got ${fileUrls.length})`;
  const urlBytes = Buffer.byteLength(fileUrls.join(""));
  if (urlBytes > fileUrlBytes) return `files: their URLs take ${urlBytes} bytes, more than ${fileUrlBytes}`;
  if (!isDeleted && content === undefined) return "content: is missing, and the document is not deleted";
  return undefined;
}

async function keepBatch(
  listed: Map<string, ListedDocument>,
  page: DocumentPage,
  ports: KeepPorts,
): Promise<DocumentOutcome[]> {
  const { sourceId } = page;
  const known = new Map(
    (await ports.documents.getMany(sourceId, [...listed.keys()])).map((document) => [
      document.documentId,
      document,
    ]),
  );
  const changed = [...listed].filter(
    ([documentId, document]) =>
      decideChange({ sourceId, documentId }, known.get(documentId), document, page) !== undefined,
  );
  const locations = await storeContents(sourceId, changed, ports);
  const kept = await inParallel([...listed], maxParallel, ([documentId, document]) =>
    keepDocument(documentId, document, {
      page,
      ports,
      known: known.get(documentId),
      location: locations.get(documentId),
    }),
  );
  await drainOutboxes(
    kept.map(({ document }) => document),
    ports,
  );
  return kept.map(({ outcome, isRepeated, document: { documentId, identifier } }) => ({
    identifier,
    documentId,
    outcome,
    ...(isRepeated && { isRepeated }),
  }));
}

/** Stores the contents of changed documents in one object. */
async function storeContents(
  sourceId: string,
  changed: [string, ListedDocument][],
  { documents }: KeepPorts,
): Promise<Map<string, ContentLocation>> {
  const withContent = changed.flatMap(([documentId, { content, isDeleted }]) =>
    content === undefined || isDeleted ? [] : [{ documentId, content }],
  );
  if (withContent.length === 0) return new Map();
  const locations = await documents.saveContents(
    sourceId,
    withContent.map(({ content }) => content),
  );
  return new Map(
    withContent.map(({ documentId }, index) => [documentId, locations[index] as ContentLocation]),
  );
}

interface Keeping {
  page: DocumentPage;
  ports: KeepPorts;
  known: Document | undefined;
  /** The location of the content; undefined while the document seems unchanged. */
  location: ContentLocation | undefined;
}

/** Writes the change of one document, based on its latest state. */
async function keepDocument(
  documentId: string,
  listed: ListedDocument,
  { page, ports, known: first, location: stored }: Keeping,
): Promise<{ document: Document; outcome: DocumentChangeType | "unchanged"; isRepeated: boolean }> {
  const { documents } = ports;
  const key = { sourceId: page.sourceId, documentId };
  let known = first;
  let location = stored;
  for (let tries = 0; tries < maxWriteTries; tries += 1) {
    const next = decideChange(key, known, listed, page);
    const isRepeated = page.page !== undefined && isRepetition(known, page.page);
    if (next === undefined) {
      const document = known as Document;
      await markListed(document, page, ports);
      return { document, outcome: "unchanged", isRepeated };
    }
    if (next.outbox.length > maxPending) {
      throw new PlatformError(`document ${documentId} has more than ${maxPending} unpublished changes`);
    }
    if (listed.content !== undefined && next.state === "present") {
      location ??= (await documents.saveContents(page.sourceId, [listed.content]))[0];
    }
    const document = location === undefined ? next : withContent(next, location);
    if (await documents.save(document))
      return { document, outcome: currentVersion(document).type, isRepeated };
    [known] = await documents.getMany(page.sourceId, [documentId]);
  }
  throw new PlatformError(`document ${documentId} is being written by other processes`);
}

/** Leaves the marks of a page on a document that it names, unless the document has them. */
export async function markListed(
  document: Document,
  page: Pick<DocumentPage, "harvestId" | "page">,
  { documents }: Pick<KeepPorts, "documents">,
): Promise<void> {
  const marks = marksOf(document, page);
  if (marks.listedIn === document.listedIn && marks.listedOn === document.listedOn) return;
  await documents.markListed(document, marks);
}

function withContent(document: Document, content: ContentLocation): Document {
  const versions = [...document.versions.slice(0, -1), { ...currentVersion(document), content }];
  return { ...document, versions: versions as Document["versions"] };
}
