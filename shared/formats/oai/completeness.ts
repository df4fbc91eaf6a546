import { budgets } from "../../core/budgets.ts";
import { digest } from "../../core/digest.ts";
import type { OaiPage } from "./page.ts";

/**
 * The completeness with which a list was read. Only a complete list shows which records are gone and moves the window
 * of the next list to its own beginning.
 * - `complete`: read to its end
 * - `interrupted`: ended by an error, a limit or a loop
 * - `empty`: no records although earlier lists had some; the repository's database may have failed
 * - `short`: ended with fewer records than completeListSize
 * - `shifting`: read to its end, but changed between its pages, so that records were repeated and others may be
 *   missing. The list is read again. `isRead`: enough such lists in a row have been read to get on
 */
export type Completeness =
  | { type: "complete" }
  | { type: "interrupted"; reason: string }
  | { type: "empty" }
  | { type: "short"; announced: number; read: number }
  | { type: "shifting"; reason: string; isRead?: true };

/** Decides whether a list needs not be read again. */
export function isReadToEnd(completeness: Completeness): boolean {
  return (
    completeness.type === "complete" || (completeness.type === "shifting" && completeness.isRead === true)
  );
}

/** Returns how complete a list is whose records are counted: one that has changed between its pages is shifting. */
export function judgeShift(completeness: Completeness, progress: ListProgress): Completeness {
  const reason = completeness.type === "complete" ? whyShifting(progress) : undefined;
  return reason === undefined ? completeness : { type: "shifting", reason };
}

/** Returns why records may have slipped through between the pages of a list; undefined if nothing indicates it. */
export function whyShifting(progress: ListProgress): string | undefined {
  const { records, repeated = 0 } = progress;
  if (repeated > 0)
    return `the list changed while it was read: ${repeated} of its ${records} records are repetitions`;
  if (isResized(progress)) return "the list changed while it was read: so did its completeListSize";
  return undefined;
}

/**
 * Decides whether a list got another size while it was read. Repositories that state the size of the page, or of the rest
 * of the list, have given more records than they state last.
 */
export function isResized({ announcedChanged, announced, records }: ListProgress): boolean {
  return announcedChanged === true && (announced === undefined || announced >= records);
}

/** The state between the pages of a list, as JSON. */
export interface ListProgress {
  pages: number;
  /** The number of records that were read, or of sets in a list of sets. Repeated identifiers are included. */
  records: number;
  emptyPagesInARow: number;
  /** The number of consecutive pages whose identifiers also occurred on one of the latest pages. */
  repeatedPagesInARow: number;
  bytes: number;
  /** The latest completeListSize, which repositories often omit on later pages. */
  announced?: number;
  /** Set when completeListSize changed from one page to another. */
  announcedChanged?: true;
  /** Set for a list that began with a resumptionToken. The number of its records before that token is unknown. */
  isContinued?: true;
  /** The number of records whose identifiers the list had named before. Counted by the reader, who knows them. */
  repeated?: number;
  /** Digests of the token and identifiers of the latest pages. They detect loops. */
  pageDigests: string[];
  /** Digests of the identifiers only. They detect loops in which every page has a new token. */
  contentDigests: string[];
  /** The responseDate of the first page, at which the next window begins. */
  responseDate?: string;
}

export const listBegin: ListProgress = {
  pages: 0,
  records: 0,
  emptyPagesInARow: 0,
  repeatedPagesInARow: 0,
  bytes: 0,
  pageDigests: [],
  contentDigests: [],
};

/** The decision after a page. */
export type ListStep =
  | { type: "next"; resumptionToken: string; progress: ListProgress }
  /** The token has expired. The list can be restarted. */
  | { type: "expired"; reason: string }
  | { type: "end"; completeness: Completeness; progress: ListProgress };

export interface ListLimits {
  pages: number;
  emptyPagesInARow: number;
  /** A repository that loses its position repeats a few pages, and then continues. */
  repeatedPagesInARow: number;
  bytes: number;
}

/** Repositories have millions of records, in pages of 50 to 1,000. */
export const defaultListLimits: ListLimits = {
  pages: 200_000,
  emptyPagesInARow: 20,
  repeatedPagesInARow: 20,
  bytes: 500e9,
};

/**
 * The maximum length of a URL-encoded resumption token: the request with a longer one would exceed the limit of the gate.
 * Real tokens have up to 5,000 characters.
 */
const maxEncodedTokenChars = 60_000;

/** Loops are short, so more digests would only enlarge the state. */
const keptDigests = 64;

/**
 * Decides after each page whether the list continues and, at its end, whether it is complete.
 * @param given.asked the token of the request; undefined for the first page
 * @param given.bytes the size of the page
 * @param given.expectsRecords whether earlier lists had records
 */
export function nextListStep(
  page: OaiPage,
  before: ListProgress,
  given: { asked: string | undefined; bytes: number; expectsRecords: boolean; limits?: ListLimits },
): ListStep {
  const { limits = defaultListLimits, asked } = given;
  const progress = advance(page, before, given);
  const end = (completeness: Completeness): ListStep => ({ type: "end", completeness, progress });
  const interrupted = (reason: string) => end({ type: "interrupted", reason });

  const [error] = page.errors;
  if (error !== undefined) {
    if (error.code === "badResumptionToken" && asked !== undefined) {
      return { type: "expired", reason: describeErrors(page) };
    }
    if (page.errors.some(({ code }) => code !== "noRecordsMatch")) return interrupted(describeErrors(page));
  }
  const token = page.resumptionToken?.value ?? "";
  if (token === "") return end(judgeEnd(progress, given.expectsRecords));
  if (token.length > maxEncodedTokenChars || encodeURIComponent(token).length > maxEncodedTokenChars) {
    return interrupted(`a resumptionToken has more than ${maxEncodedTokenChars} characters`);
  }
  const repeated = progress.pageDigests.slice(0, -1).includes(progress.pageDigests.at(-1) ?? "");
  if (repeated || (token === asked && entriesOf(page).length === 0)) {
    return interrupted(`the repository repeats its pages (page ${progress.pages})`);
  }
  if (progress.emptyPagesInARow >= limits.emptyPagesInARow) {
    return interrupted(`${progress.emptyPagesInARow} pages in a row have no records`);
  }
  if (progress.repeatedPagesInARow >= limits.repeatedPagesInARow) {
    return interrupted(`${progress.repeatedPagesInARow} pages in a row repeat the records of earlier ones`);
  }
  if (progress.pages >= limits.pages) return interrupted(`the list has more than ${limits.pages} pages`);
  if (progress.bytes >= limits.bytes) return interrupted(`the list has more than ${limits.bytes} bytes`);
  return { type: "next", resumptionToken: token, progress };
}

function advance(
  page: OaiPage,
  before: ListProgress,
  { asked, bytes }: { asked: string | undefined; bytes: number },
): ListProgress {
  const identifiers = entriesOf(page);
  const pageDigest = digest("oai-page", page.resumptionToken?.value ?? "", ...identifiers);
  const contentDigest = digest("oai-page-content", ...identifiers);
  const isRepeated = identifiers.length > 0 && before.contentDigests.includes(contentDigest);
  const announced = page.resumptionToken?.completeListSize ?? before.announced;
  const announcedChanged =
    before.announcedChanged || (before.announced !== undefined && announced !== before.announced);
  const isContinued = before.isContinued || (before.pages === 0 && asked !== undefined);
  const stated = asked === undefined ? page.responseDate : undefined;
  const isDate = stated !== undefined && stated.length <= budgets.datestampChars;
  const responseDate = before.responseDate ?? (isDate ? stated : undefined);
  return {
    pages: before.pages + 1,
    records: before.records + identifiers.length,
    emptyPagesInARow: identifiers.length === 0 ? before.emptyPagesInARow + 1 : 0,
    repeatedPagesInARow: isRepeated ? before.repeatedPagesInARow + 1 : 0,
    bytes: before.bytes + bytes,
    pageDigests: [...before.pageDigests, pageDigest].slice(-keptDigests),
    contentDigests: isRepeated
      ? before.contentDigests
      : [...before.contentDigests, contentDigest].slice(-keptDigests),
    ...(announced !== undefined && { announced }),
    ...(announcedChanged && { announcedChanged }),
    ...(isContinued && { isContinued }),
    ...(before.repeated !== undefined && { repeated: before.repeated }),
    ...(responseDate !== undefined && { responseDate }),
  };
}

/** Returns the identifiers of a page of records, or the specs of a page of sets. */
function entriesOf({ records, sets }: OaiPage): string[] {
  return sets.length > 0 ? sets.map(({ spec }) => spec) : records.map(({ identifier }) => identifier);
}

function judgeEnd({ records, announced, isContinued }: ListProgress, expectsRecords: boolean): Completeness {
  if (records === 0 && expectsRecords) return { type: "empty" };
  // This also applies to a list of a single page, because a repository that has lost its tokens returns 2 records of
  // 250 and reports the 250.
  const isBelievable = announced !== undefined && !isContinued;
  return isBelievable && records < announced
    ? { type: "short", announced, read: records }
    : { type: "complete" };
}

/**
 * Returns the reason why a list is not complete.
 * @returns undefined when the list is complete
 */
export function reasonOf(completeness: Completeness): string | undefined {
  switch (completeness.type) {
    case "complete":
      return undefined;
    case "interrupted":
      return completeness.reason;
    case "empty":
      return "the list has no records, although earlier lists had some";
    case "short":
      return `completeListSize says ${completeness.announced}, but the list has ${completeness.read} records`;
    case "shifting":
      return completeness.isRead
        ? `${completeness.reason}; after three such lists in a row, it counts as read`
        : completeness.reason;
  }
}

/** Describes the errors of a page in the words of the repository. */
export function describeErrors({ errors }: Pick<OaiPage, "errors">): string {
  return errors.map(({ code, message }) => (message === "" ? code : `${code}: ${message}`)).join("; ");
}

/** Adds records that the list had named before. */
export function withRepeated(progress: ListProgress, repeated: number): ListProgress {
  return repeated === 0 ? progress : { ...progress, repeated: (progress.repeated ?? 0) + repeated };
}
