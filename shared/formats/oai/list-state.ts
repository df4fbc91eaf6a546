import type { OaiAnswer } from "./answer.ts";
import {
  type Completeness,
  describeErrors,
  type ListLimits,
  type ListProgress,
  listBegin,
  nextListStep,
} from "./completeness.ts";
import type { OaiPage, OaiVerb } from "./page.ts";
import { type ListArguments, oaiRequestUrl } from "./request-url.ts";

/** The verbs whose responses are lists in pages. */
type ListVerb = Extract<OaiVerb, "ListRecords" | "ListIdentifiers" | "ListSets">;

/** The state of a list between two requests, as JSON: the next request, and what has been read. */
export interface ListState {
  verb: ListVerb;
  /** The arguments of the first request. */
  args: ListArguments;
  /** The token of the next request; absent for the first page. */
  token?: string;
  progress: ListProgress;
  /** The number of pages of all attempts at the list. */
  pagesRead: number;
  /** The number of requests for the next page without a usable response. */
  failures: number;
  /** The number of restarts of the list because its token had expired. */
  restarts: number;
  /** Set for a repository that requires metadataPrefix together with the token. */
  prefixBesideToken?: true;
  /** Set for a repository whose tokens are already percent-encoded. */
  encodedTokens?: true;
  /** Set for a repository that did not respond properly to a POST. */
  getOnly?: true;
}

/** The decision after a response. Each page is passed on with its records, whatever the decision. */
export type ListTransition =
  | { type: "page"; page: OaiPage; flaw?: string; next: ListState }
  /** No page was read. The next request repeats or changes this one. */
  | { type: "again"; reason: string; next: ListState }
  | { type: "end"; page?: OaiPage; flaw?: string; completeness: Completeness; state: ListState };

/** The number of requests for a page without a usable response. The gate has already retried each of these requests. */
const maxFailures = 3;

/**
 * The number of restarts is limited, because a list whose tokens expire before it is read would otherwise restart
 * forever.
 */
const maxRestarts = 3;

/**
 * @param token continues a list whose first pages were read before; without a metadataPrefix, the list cannot be
 * restarted
 */
export function startList(verb: ListVerb, args: ListArguments, token?: string): ListState {
  return {
    verb,
    args,
    ...(token !== undefined && { token }),
    progress: listBegin,
    pagesRead: 0,
    failures: 0,
    restarts: 0,
  };
}

/** Some servers do not accept URLs of more than 2,000 characters, whereas every repository must accept POST. */
const maxTokenChars = 1500;

/**
 * Returns the next request: a GET, or a POST if the token would make the URL too long.
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#HTTPRequestFormat
 */
export function listRequest(
  baseUrl: string,
  state: ListState,
): { url: string } | { url: string; method: "POST"; body: string; headers: Record<string, string> } {
  const url = listUrl(baseUrl, state);
  return isPosted(state) ? postOf(baseUrl, url) : { url };
}

/** Returns the request for one record: a GET, or a POST if its identifier is too long. */
export function recordRequest(
  baseUrl: string,
  args: { identifier: string; metadataPrefix: string },
): ReturnType<typeof listRequest> {
  const url = oaiRequestUrl(baseUrl, "GetRecord", args);
  return encodeURIComponent(args.identifier).length > maxTokenChars ? postOf(baseUrl, url) : { url };
}

/** Converts a GET to a POST with the same arguments. */
function postOf(baseUrl: string, url: string) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = url.slice(url.indexOf("verb=", baseUrl.length));
  return { url: baseUrl, method: "POST" as const, body, headers };
}

/** The gate accepts URLs of up to 8,192 characters. */
const maxTokenCharsOfGet = 7000;

function isPosted({ token = "", getOnly }: ListState): boolean {
  return encodeURIComponent(token).length > (getOnly ? maxTokenCharsOfGet : maxTokenChars);
}

/** Returns the URL of the next request, in case it is a GET. */
export function listUrl(baseUrl: string, state: ListState): string {
  const { verb, args, token, prefixBesideToken, encodedTokens } = state;
  if (token === undefined) return oaiRequestUrl(baseUrl, verb, args);
  const { metadataPrefix } = args;
  const besides = prefixBesideToken && metadataPrefix !== undefined ? { metadataPrefix } : {};
  if (!encodedTokens) return oaiRequestUrl(baseUrl, verb, { ...besides, resumptionToken: token });
  return `${oaiRequestUrl(baseUrl, verb, besides)}&resumptionToken=${token}`;
}

/**
 * Decides what to do after the response to `listUrl`: request the next page, repeat the request, change its form,
 * restart the list, or end it.
 * @param given.expectsRecords whether earlier lists had records
 */
export function followList(
  state: ListState,
  answer: OaiAnswer,
  given: { expectsRecords: boolean; limits?: ListLimits },
): ListTransition {
  if (isPosted(state) && !isPostAnswer(answer)) {
    const reason = answer.type === "unusable" ? answer.reason : describeErrors(answer.page);
    if (state.getOnly) return repeat(state, { reason: `POST: ${reason}`, mayPass: false });
    return { type: "again", reason: `POST: ${reason}`, next: { ...state, getOnly: true } };
  }
  if (answer.type === "unusable") return repeat(state, answer);
  const { page, bytes } = answer;
  if (page.verb !== undefined && page.verb !== state.verb) {
    return repeat(state, { reason: `the response to ${state.verb} is one to ${page.verb}`, mayPass: true });
  }
  const changed = changeRequest(state, page);
  if (changed !== undefined) return changed;
  const step = nextListStep(page, state.progress, { ...given, asked: state.token, bytes });
  if (step.type === "expired") return restart(state, step.reason);
  const flaw = answer.flaw === undefined ? {} : { flaw: answer.flaw };
  const { token: _asked, ...rest } = state;
  const read: ListState = { ...rest, progress: step.progress, pagesRead: state.pagesRead + 1, failures: 0 };
  if (step.type === "end") {
    const { completeness } = step;
    const stopped = completeness.type === "interrupted" ? state : read;
    return { type: "end", page, ...flaw, completeness, state: { ...stopped, pagesRead: read.pagesRead } };
  }
  return { type: "page", page, ...flaw, next: { ...read, token: step.resumptionToken } };
}

/** Decides whether the repository has read a POST. A redirect may have changed the POST to a GET without arguments. */
function isPostAnswer(answer: OaiAnswer): boolean {
  return answer.type === "page" && answer.page.errors.every(({ code }) => code !== "badVerb");
}

function repeat(state: ListState, { reason, mayPass }: { reason: string; mayPass: boolean }): ListTransition {
  const failures = state.failures + 1;
  if (mayPass && failures < maxFailures) return { type: "again", reason, next: { ...state, failures } };
  return { type: "end", completeness: { type: "interrupted", reason }, state: { ...state, failures: 0 } };
}

/** Returns the request in another form, if the repository rejects its form. */
function changeRequest(state: ListState, page: OaiPage): ListTransition | undefined {
  const codes = new Set(page.errors.map(({ code }) => code));
  const reason = describeErrors(page);
  const again = (change: Partial<ListState>): ListTransition => ({
    type: "again",
    reason,
    next: { ...state, ...change },
  });
  const { token, args, progress } = state;
  if (token === undefined) {
    const days = codes.has("badArgument") ? inDays(args) : undefined;
    return days && again({ args: days });
  }
  if (codes.has("badArgument") && !state.prefixBesideToken && args.metadataPrefix !== undefined) {
    return again({ prefixBesideToken: true });
  }
  if (!codes.has("badResumptionToken")) return undefined;
  if (!state.encodedTokens && /%[\dA-F]{2}/i.test(token)) return again({ encodedTokens: true });
  const { announced, records } = progress;
  if (announced === undefined || records < announced) return undefined;
  // The repository sends a token after the last record, and then rejects the token.
  return { type: "end", completeness: { type: "complete" }, state };
}

/**
 * Converts arguments with seconds to arguments with days.
 * @returns undefined when the arguments have no seconds
 */
function inDays({ from, until, ...rest }: ListArguments): ListArguments | undefined {
  if (!from?.includes("T") && !until?.includes("T")) return undefined;
  return {
    ...rest,
    ...(from !== undefined && { from: from.slice(0, 10) }),
    ...(until !== undefined && { until: until.slice(0, 10) }),
  };
}

/** Restarts the list from its beginning, so its records are listed again. */
function restart(state: ListState, reason: string): ListTransition {
  const { token: _expired, encodedTokens: _form, ...rest } = state;
  const hasBeginning = state.verb === "ListSets" || state.args.metadataPrefix !== undefined;
  if (!hasBeginning || state.restarts >= maxRestarts) {
    const after = hasBeginning ? ` (after ${maxRestarts} restarts)` : "";
    const interrupted = { type: "interrupted" as const, reason: `${reason}${after}` };
    return { type: "end", completeness: interrupted, state: { ...rest, progress: listBegin, restarts: 0 } };
  }
  const next = { ...rest, progress: listBegin, failures: 0, restarts: state.restarts + 1 };
  return { type: "again", reason, next };
}
