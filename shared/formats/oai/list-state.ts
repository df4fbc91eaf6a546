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

/** The verbs whose answers are lists in pages. */
type ListVerb = Extract<OaiVerb, "ListRecords" | "ListIdentifiers" | "ListSets">;

/** The state of a list between two requests, as JSON: what to request next, and what has been read. */
export interface ListState {
  verb: ListVerb;
  /** The arguments of the first request. */
  args: ListArguments;
  /** The token of the next request; absent: the first page. */
  token?: string;
  progress: ListProgress;
  /** Pages of all attempts at the list. */
  pagesRead: number;
  /** Requests for the next page that had no usable answer. */
  failures: number;
  /** How often the list was restarted because its token had expired. */
  restarts: number;
  /** Set for a repository that demands metadataPrefix beside the token. */
  prefixBesideToken?: true;
  /** Set for a repository whose tokens are percent-encoded already. */
  encodedTokens?: true;
  /** Set for a repository that has not answered a POST. */
  getOnly?: true;
}

/** What follows from an answer. Each page is passed on with its records, whatever follows. */
export type ListTransition =
  | { type: "page"; page: OaiPage; flaw?: string; next: ListState }
  /** No page was read: the next request repeats or changes this one. */
  | { type: "again"; reason: string; next: ListState }
  | { type: "end"; page?: OaiPage; flaw?: string; completeness: Completeness; state: ListState };

/** How often a page is requested that has no usable answer. The gate has repeated each request before. */
const maxFailures = 3;

/** A list whose tokens expire sooner than it can be read would start again forever. */
const maxRestarts = 3;

/** @param token continues a list whose first pages were read before; without a metadataPrefix it cannot start again */
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

/** Some servers take no URL above 2,000 characters; every repository must take POST. */
const maxTokenChars = 1500;

/**
 * The next request: a GET, or a POST when its token would make the URL too long.
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#HTTPRequestFormat
 */
export function listRequest(
  baseUrl: string,
  state: ListState,
): { url: string } | { url: string; method: "POST"; body: string; headers: Record<string, string> } {
  const url = listUrl(baseUrl, state);
  return isPosted(state) ? postOf(baseUrl, url) : { url };
}

/** The request for one record: as `listRequest`, by the length of its identifier. */
export function recordRequest(
  baseUrl: string,
  args: { identifier: string; metadataPrefix: string },
): ReturnType<typeof listRequest> {
  const url = oaiRequestUrl(baseUrl, "GetRecord", args);
  return encodeURIComponent(args.identifier).length > maxTokenChars ? postOf(baseUrl, url) : { url };
}

/** The arguments of a GET as a POST. */
function postOf(baseUrl: string, url: string) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = url.slice(url.indexOf("verb=", baseUrl.length));
  return { url: baseUrl, method: "POST" as const, body, headers };
}

/** The gate takes URLs of 8,192 characters. */
const maxTokenCharsOfGet = 7000;

function isPosted({ token = "", getOnly }: ListState): boolean {
  return encodeURIComponent(token).length > (getOnly ? maxTokenCharsOfGet : maxTokenChars);
}

/** The URL of the next request, if it is a GET. */
export function listUrl(baseUrl: string, state: ListState): string {
  const { verb, args, token, prefixBesideToken, encodedTokens } = state;
  if (token === undefined) return oaiRequestUrl(baseUrl, verb, args);
  const { metadataPrefix } = args;
  const besides = prefixBesideToken && metadataPrefix !== undefined ? { metadataPrefix } : {};
  if (!encodedTokens) return oaiRequestUrl(baseUrl, verb, { ...besides, resumptionToken: token });
  return `${oaiRequestUrl(baseUrl, verb, besides)}&resumptionToken=${token}`;
}

/**
 * Decides what follows from the response to `listUrl`: the next page, the same request again, another form of it, the
 * list from its beginning, or the end.
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
    return repeat(state, { reason: `${state.verb} was answered by ${page.verb}`, mayPass: true });
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

/** Whether a POST has been read: a redirect may have made it a GET without arguments. */
function isPostAnswer(answer: OaiAnswer): boolean {
  return answer.type === "page" && answer.page.errors.every(({ code }) => code !== "badVerb");
}

function repeat(state: ListState, { reason, mayPass }: { reason: string; mayPass: boolean }): ListTransition {
  const failures = state.failures + 1;
  if (mayPass && failures < maxFailures) return { type: "again", reason, next: { ...state, failures } };
  return { type: "end", completeness: { type: "interrupted", reason }, state: { ...state, failures: 0 } };
}

/** Another form of the request, when the repository rejects this one for its form. */
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
  // A token after the last record: the repository gives it out, and rejects it.
  return { type: "end", completeness: { type: "complete" }, state };
}

/** Arguments with days for seconds; undefined when they have no seconds. */
function inDays({ from, until, ...rest }: ListArguments): ListArguments | undefined {
  if (!from?.includes("T") && !until?.includes("T")) return undefined;
  return {
    ...rest,
    ...(from !== undefined && { from: from.slice(0, 10) }),
    ...(until !== undefined && { until: until.slice(0, 10) }),
  };
}

/** The list from its beginning: its records are listed again. */
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
