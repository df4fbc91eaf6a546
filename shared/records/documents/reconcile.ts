import { digest } from "../../core/digest.ts";
import { currentVersion, type Document } from "./document.ts";
import { type KeepPorts, keepDocuments } from "./keep-documents.ts";
import { addWaits, type Waits } from "./waits.ts";

/** The number of documents that are read at a time. */
const pageSize = 200;

/** The result of comparing the documents of a source with a full list. */
export interface ListSurvey {
  /** The number of documents that are not deleted. */
  present: number;
  /** The number of documents that are not deleted and that the list lacks. */
  absent: number;
  /** The number of absent documents that the earlier list contained. */
  newlyAbsent: number;
  /** The identifiers of the first absent documents. */
  examples: string[];
  /** A digest that is the same when the same documents are absent. */
  absentDigest: string;
  /** Those of the absent documents that wait longest to be asked for. */
  waits: Waits;
}

/** A full list of the documents of a source. */
interface FullListing {
  isListed(document: Document): boolean;
  /** When the list began. ISO 8601 in UTC. */
  listedAt: string;
  /** The id of the document after which to continue. */
  after?: string | undefined;
}

/** Returns a function that decides whether a full harvest has marked a document as listed. */
export function isMarked(mark: string): FullListing["isListed"] {
  return ({ listedIn }) => listedIn === mark;
}

/**
 * Compares the documents of a source with a full list, page by page.
 * @param listing.survey,listing.after the findings of an earlier invocation, and where it ended
 * @returns the findings so far, and where the next page begins; finally, the complete findings
 */
export async function* surveyListed(
  sourceId: string,
  {
    survey: known,
    wasListed = () => false,
    isWaiting = () => true,
    maxExamples,
    ...listing
  }: FullListing & {
    survey?: ListSurvey | undefined;
    /** Decides whether an earlier full list contained a document. */
    wasListed?: FullListing["isListed"] | undefined;
    /** Decides whether an absent document is one to ask for. */
    isWaiting?: FullListing["isListed"] | undefined;
    maxExamples: number;
  },
  ports: Pick<KeepPorts, "documents">,
): AsyncGenerator<SurveyStep, SurveyStep> {
  let survey = known ?? { present: 0, absent: 0, newlyAbsent: 0, examples: [], absentDigest: "", waits: {} };
  let { after } = listing;
  for (;;) {
    const { documents, next } = await listPage(sourceId, after, ports);
    const absent = documents.filter((document) => isAbsent(document, listing));
    survey = {
      present: survey.present + documents.filter(({ state }) => state === "present").length,
      absent: survey.absent + absent.length,
      newlyAbsent: survey.newlyAbsent + absent.filter(wasListed).length,
      examples: [...survey.examples, ...absent.map(({ identifier: [first] }) => first)].slice(0, maxExamples),
      absentDigest: absent.reduce(
        (before, { documentId }) => digest(before, documentId),
        survey.absentDigest,
      ),
      waits: addWaits(survey.waits, absent.filter(isWaiting)),
    };
    after = next;
    if (after === undefined) return { survey, after };
    yield { survey, after };
  }
}

interface SurveyStep {
  survey: ListSurvey;
  after: string | undefined;
}

/**
 * Finds the documents of a source that a full list lacks, page by page.
 * @param listing.after where an earlier invocation ended
 * @param listing.isWanted decides which of them are returned
 * @returns the documents of a page, a document that was listed, and where the next page begins
 */
export async function* findUnlisted(
  sourceId: string,
  { isWanted = () => true, ...listing }: FullListing & { isWanted?: FullListing["isListed"] },
  ports: Pick<KeepPorts, "documents">,
): AsyncGenerator<UnlistedPage, UnlistedPage> {
  let { after } = listing;
  for (;;) {
    const { documents, next } = await listPage(sourceId, after, ports);
    const unlisted = documents.filter((document) => isAbsent(document, listing) && isWanted(document));
    const listed = documents.find((document) => document.state === "present" && listing.isListed(document));
    const page = { unlisted, listed, after: next };
    if (next === undefined) return page;
    yield page;
    after = next;
  }
}

interface UnlistedPage {
  unlisted: Document[];
  listed: Document | undefined;
  after: string | undefined;
}

/**
 * Makes tombstones of the documents of a source that a full list lacks. If an earlier full list is given, only
 * documents that both lists lack are deleted. The caller guarantees that the lists are complete. Documents that were
 * listed after the later list are kept.
 * @returns the documents of a page, and where the next page begins
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#DeletedRecords
 */
export async function* deleteUnlisted(
  sourceId: string,
  { wasListed = () => false, ...listing }: FullListing & { wasListed?: FullListing["isListed"] | undefined },
  ports: KeepPorts,
): AsyncGenerator<DeletedPage, DeletedPage> {
  const { listedAt } = listing;
  const pages = findUnlisted(sourceId, listing, ports);
  for (;;) {
    const { value, done } = await pages.next();
    const deleted = value.unlisted.filter((document) => !wasListed(document));
    const documents = deleted.map(({ identifier }) => ({ identifier, isDeleted: true }));
    if (deleted.length > 0) await keepDocuments({ sourceId, listedAt, documents }, ports);
    const page = { deleted, after: value.after };
    if (done) return page;
    yield page;
  }
}

interface DeletedPage {
  deleted: Document[];
  after: string | undefined;
}

function listPage(sourceId: string, after: string | undefined, { documents }: Pick<KeepPorts, "documents">) {
  return documents.list(sourceId, { limit: pageSize, ...(after !== undefined && { after }) });
}

function isAbsent(document: Document, { isListed, listedAt }: FullListing): boolean {
  return document.state === "present" && !isListed(document) && currentVersion(document).at <= listedAt;
}
