import type { Listing } from "./decide-change.ts";
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
}

type FullListing = Required<Pick<Listing, "harvestId" | "listedAt">> & { after?: string | undefined };

/**
 * Compares the documents of a source with a full list, page by page.
 * @param listing.survey,listing.after what an earlier invocation has found, and where it ended
 * @returns what was found so far, and where the next page begins; at last the whole
 */
export async function* surveyListed(
  sourceId: string,
  {
    survey: known,
    earlier,
    maxExamples,
    ...listing
  }: FullListing & {
    survey?: ListSurvey | undefined;
    /** The mark of an earlier full list. */
    earlier?: string | undefined;
    maxExamples: number;
  },
  ports: Pick<KeepPorts, "documents">,
): AsyncGenerator<SurveyStep, SurveyStep> {
  let survey = known ?? { listed: 0, present: 0, absent: 0, newlyAbsent: 0, examples: [] };
  let { after } = listing;
  for (;;) {
    const { documents, next } = await listPage(sourceId, after, ports);
    const absent = documents.filter((document) => isAbsent(document, listing));
    survey = {
      listed: survey.listed + documents.filter(({ listedIn }) => listedIn === listing.harvestId).length,
      present: survey.present + documents.filter(({ state }) => state === "present").length,
      absent: survey.absent + absent.length,
      newlyAbsent: survey.newlyAbsent + absent.filter(({ listedIn }) => listedIn === earlier).length,
      examples: [...survey.examples, ...absent.map(({ identifier: [first] }) => first)].slice(0, maxExamples),
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
 * Finds the documents of a source that a full harvest has not listed, page by page.
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
    const listed = documents.find(
      ({ state, listedIn }) => state === "present" && listedIn === listing.harvestId,
    );
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
 * Makes tombstones of the documents of a source that two full harvests have not listed. For repositories that do not keep
 * deleted records; the caller vouches for both lists. Documents that were listed after the later one stay.
 * @param listing.earlier the mark of the earlier list
 * @param listing.after where an earlier invocation has ended
 * @returns where the next page of documents begins
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#DeletedRecords
 */
export async function* deleteUnlisted(
  sourceId: string,
  { earlier, ...listing }: FullListing & { earlier: string },
  ports: KeepPorts,
): AsyncGenerator<{ after: string | undefined }, { after: string | undefined }> {
  const { listedAt } = listing;
  const pages = findUnlisted(sourceId, listing, ports);
  for (;;) {
    const { value, done } = await pages.next();
    const gone = value.unlisted.filter(({ listedIn }) => listedIn !== earlier);
    const listed = gone.map(({ identifier }) => ({ identifier, isDeleted: true }));
    if (gone.length > 0) await keepDocuments({ sourceId, listedAt, documents: listed }, ports);
    if (done) return { after: value.after };
    yield { after: value.after };
  }
}

function listPage(sourceId: string, after: string | undefined, { documents }: Pick<KeepPorts, "documents">) {
  return documents.list(sourceId, { limit: pageSize, ...(after !== undefined && { after }) });
}

function isAbsent(document: Document, { harvestId, listedAt }: FullListing): boolean {
  const { state, listedIn } = document;
  return state === "present" && listedIn !== harvestId && currentVersion(document).at <= listedAt;
}
