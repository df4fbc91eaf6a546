import {
  defaultListLimits,
  type ListLimits,
  type ListProgress,
  listBegin,
  nextListStep,
} from "../formats/oai/completeness.ts";
import type { OaiPage, OaiRecord } from "../formats/oai/page.ts";
import { parseOaiPage } from "../formats/oai/parse-page.ts";
import { oaiRequestUrl } from "../formats/oai/request-url.ts";
import { type Ark, containsArk } from "../identifiers/ark.ts";
import { describeUnusableOutcome, isUsableAnswer, type ResponseOutcome } from "../web/request/response.ts";
import type { ElementName } from "../xml/namespaces.ts";
import {
  type CheckError,
  type CheckProgress,
  type CheckResult,
  checkError,
  notOaiPmh,
} from "./check-result.ts";
import type { CheckedSet } from "./checked-set.ts";

/** The state of a count between two pages, as JSON. */
export interface SetCount {
  /** The number of records with the ARK so far. */
  count: number;
  list: ListProgress;
  /** The token of the next page; absent for the first page. */
  token?: string;
}

export const countBegin: SetCount = { count: 0, list: listBegin };

type CountStep = { type: "next"; counted: SetCount } | { type: "end"; result: CheckResult };

/** The limits of a check. A public check must not occupy a host for days; 10,000 pages take about three hours. */
const checkLimits: ListLimits = { ...defaultListLimits, pages: 10_000, bytes: 20e9 };

/**
 * Returns the URL of the next page. It uses the configured service, regardless of the base URL that the repository
 * states.
 */
export function nextPageUrl({ firstPageUrl, service }: CheckedSet, { token }: SetCount): string {
  return token === undefined
    ? firstPageUrl
    : oaiRequestUrl(service, "ListRecords", { resumptionToken: token });
}

/**
 * Counts the records of a page that contain the ARK (or any ARK, if none is given), and decides on the next step. An
 * error on any page is the result, because a count always refers to the whole list.
 * @param body empty when the response had none
 */
export function countPage(
  { outcome, body }: { outcome: ResponseOutcome; body: Uint8Array },
  before: SetCount,
  { ark, limits = checkLimits }: { ark: Ark | undefined; limits?: ListLimits },
): CountStep {
  const page = readPage(outcome, body);
  if ("error" in page) return { type: "end", result: page };
  const counted = before.count + page.records.filter((record) => carriesArk(record, ark)).length;
  const step = nextListStep(page, before.list, {
    asked: before.token,
    bytes: body.byteLength,
    expectsRecords: false,
    limits,
  });
  if (step.type === "next") {
    return { type: "next", counted: { count: counted, list: step.progress, token: step.resumptionToken } };
  }
  if (step.type === "end" && step.completeness.type === "interrupted") {
    return { type: "end", result: checkError("other", `The list has no end: ${step.completeness.reason}.`) };
  }
  // The length of a list of one page is not compared with the announced number, because many repositories announce
  // wrong numbers for such lists.
  if (step.type === "end" && step.completeness.type === "short" && step.progress.pages > 1) {
    const { read, announced } = step.completeness;
    const said = `The list ended after ${read} of the ${announced} records that it announced; ${counted} of them have ${ark === undefined ? "an" : "the"} ARK.`;
    return { type: "end", result: checkError("other", said) };
  }
  return { type: "end", result: { type: "count", count: counted } };
}

export function progressOf({ list: { records, announced } }: SetCount): CheckProgress {
  return { records, ...(announced !== undefined && announced >= records && { of: announced }) };
}

/** Returns the page, or the error with the highest precedence: http, then other, then oai-pmh. */
function readPage(outcome: ResponseOutcome, body: Uint8Array): OaiPage | CheckError {
  const result = isAnswered(outcome)
    ? parseOaiPage(body, { contentType: outcome.headers["content-type"], values: isRelation })
    : undefined;
  if (!isUsableAnswer(outcome)) {
    const said = result?.type === "page" && result.page.errors.length > 0 ? errorTexts(result.page) : "";
    // Some repositories send protocol errors, such as noRecordsMatch, with 422 or another 4xx status.
    if (said !== "" && isClientError(outcome)) return checkError("oai-pmh", said);
    return checkError("http", [describeUnusableOutcome(outcome), said].filter(Boolean).join(": "));
  }
  if (result?.type === "not-oai-pmh") return notOaiPmh;
  if (result?.type !== "page") return checkError("http", result?.problem ?? "the response is empty");
  if (result.flaw !== undefined) return checkError("http", result.flaw);
  const { page } = result;
  if (page.errors.length > 0) return checkError("oai-pmh", errorTexts(page));
  if (page.verb !== "ListRecords") {
    return checkError("other", "The response is OAI-PMH, but not a list of records.");
  }
  return page;
}

function isAnswered(outcome: ResponseOutcome): outcome is Extract<ResponseOutcome, { type: "answered" }> {
  return outcome.type === "answered" && outcome.bodyProblem === undefined;
}

function isClientError(outcome: ResponseOutcome): boolean {
  return outcome.type === "answered" && outcome.status >= 400 && outcome.status <= 499;
}

/** Returns the texts of the errors, or the code of an error without a text. */
function errorTexts({ errors }: OaiPage): string {
  return errors.map(({ code, message }) => message || code || "an error without text").join("; ");
}

function carriesArk({ values }: OaiRecord, ark: Ark | undefined): boolean {
  return values.some(({ text }) => containsArk(text, ark));
}

const dublinCore = "http://purl.org/dc/elements/1.1/";
const dublinCoreTerms = "http://purl.org/dc/terms/";

function isRelation({ namespace, local }: ElementName): boolean {
  return local === "relation" && (namespace === dublinCore || namespace === dublinCoreTerms);
}
