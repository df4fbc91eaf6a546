import { digest } from "../../core/digest.ts";
import { currentVersion, type Document } from "./document.ts";
import { type KeepPorts, keepDocuments } from "./keep-documents.ts";

/** The documents that are read at a time. */
const pageSize = 200;

/** How the documents of a source compare with a full list. */
export interface ListSurvey {
  /** Documents that the list has, deleted ones included. */
  listed: number;
  /** Documents that are not deleted. */
  present: number;
  /** Those of them that the list lacks. */
  absent: number;
  /** Those of the absent ones that the earlier list had. */
  newlyAbsent: number;
  /** The identifiers of the first absent ones. */
  examples: string[];
  /** The same when the same ones are absent. */
  absentDigest: string;
}

/** A full list of the documents of a source. */
interface FullListing {
  isListed(document: Document): boolean;
  /** When it began. ISO 8601, UTC. */
  listedAt: string;
  /** The id of the document after which to begin. */
  after?: string | undefined;
}

/** Whether a full harvest has marked a document as listed. */
export function isMarked(mark: string): FullListing["isListed"] {
  return ({ listedIn }) => listedIn === mark;
}

/**
 * Compares the documents of a source with a full list, page by page.
 * @param listing.survey,listing.after what an earlier invocation has found, and where it ended
 * @returns what was found so far, and where the next page begins; at last the whole
 */
export async function* surveyListed(
  sourceId: string,
  {
    survey: known,
    wasListed = () => false,
    maxExamples,
    ...listing
  }: FullListing & {
    survey?: ListSurvey | undefined;
    /** Whether an earlier full list had a document. */
    wasListed?: FullListing["isListed"] | undefined;
    maxExamples: number;
  },
  ports: Pick<KeepPorts, "documents">,
): AsyncGenerator<SurveyStep, SurveyStep> {
  let survey = known ?? { listed: 0, present: 0, absent: 0, newlyAbsent: 0, examples: [], absentDigest: "" };
  let { after } = listing;
  for (;;) {
    const { documents, next } = await listPage(sourceId, after, ports);
    const absent = documents.filter((document) => isAbsent(document, listing));
    survey = {
      listed: survey.listed + documents.filter(listing.isListed).length,
      present: survey.present + documents.filter(({ state }) => state === "present").length,
      absent: survey.absent + absent.length,
      newlyAbsent: survey.newlyAbsent + absent.filter(wasListed).length,
      examples: [...survey.examples, ...absent.map(({ identifier: [first] }) => first)].slice(0, maxExamples),
      absentDigest: absent.reduce(
        (before, { documentId }) => digest(before, documentId),
        survey.absentDigest,
      ),
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
 * @param listing.after where an earlier invocation has ended
 * @returns those of a page, one that was listed, and where the next page begins
 */
export async function* findUnlisted(
  sourceId: string,
  listing: FullListing,
  ports: Pick<KeepPorts, "documents">,
): AsyncGenerator<UnlistedPage, UnlistedPage> {
  let { after } = listing;
  for (;;) {
    const { documents, next } = await listPage(sourceId, after, ports);
    const unlisted = documents.filter((document) => isAbsent(document, listing));
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
 * Makes tombstones of the documents of a source that a full list lacks, and an earlier one, too, if it is given. The caller
 * vouches for the lists. Documents that were listed after the later one stay.
 * @returns those of a page, and where the next page begins
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
