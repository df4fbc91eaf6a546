// Input: a translation server's choices, empty response, or response of the type "webpage". Output: the request that
// follows. Called by read-article-response.ts.

import { digest } from "../../core/digest.ts";
import { parseDoi } from "../../identifiers/doi.ts";
import { buildArchiveKeys } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { countKnownReasons, findKnownReason } from "../../records/archive/known-reason.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { BodyWriter } from "../../web/gate/bodies.ts";
import type { NewRequest, OutboundRequest } from "../../web/request/request.ts";
import { type Choices, maxChoices } from "../../web/translation/choices.ts";
import { describeDeferred } from "../listing/article-requests.ts";
import { claimPolledArticles } from "../listing/poll-claims.ts";
import { pickRequestPolicy } from "../request-policy.ts";

/** The number of times that a request is repeated when the translation server returns an empty response. */
const maxEmptyAnswers = 2;

interface ChoicesPorts {
  archive: Pick<ArchiveStore, "knownReasons">;
  bodies: BodyWriter;
  runs: Pick<RunStore, "claimRequests">;
}

interface ChoicesContext {
  run: Run;
  sourceId: string;
  title: string;
}

/**
 * Requests the offered choices that the archive does not contain. A single request posts the server's own object with
 * only these choices. If the archive contains all choices, nothing is requested.
 */
export async function requestChoices(
  offered: Choices,
  request: OutboundRequest,
  { run, sourceId, title }: ChoicesContext,
  { archive, bodies, runs }: ChoicesPorts,
): Promise<ListingResult> {
  const choices = Object.entries(offered.items);
  const keyed = choices.map((choice) => ({
    choice,
    keys: buildArchiveKeys(choiceIdentifiers(choice[0]), run.deliveryMode),
  }));
  const known = await archive.knownReasons(keyed.flatMap(({ keys }) => keys));
  const reasons = keyed.map(({ keys }) => findKnownReason(keys, known));
  const fresh = keyed.filter((_, at) => reasons[at] === undefined);
  // A preview takes only the newest choices; the others are not reported as deferred.
  const newest = fresh.slice(0, run.newest);
  const wanted = newest.slice(0, maxChoices).map(({ choice }) => ({ url: choice[0], choice }));
  const unpolled = await claimPolledArticles(wanted, { run, sourceId, claimant: request.id }, runs);
  const chosen = unpolled.map(({ choice }) => choice);
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      // The list itself was counted as an article. Its choices replace it.
      entries: choices.length - (wanted.length - chosen.length) - 1,
      known: countKnownReasons(reasons),
      requested: chosen.length - 1,
      dropped: describeDeferred(newest.length - wanted.length),
    },
    articleRequests: [],
    listingRequests:
      chosen.length === 0
        ? []
        : [await buildChoicesRequest(Object.fromEntries(chosen), offered, request, bodies)],
  };
}

async function buildChoicesRequest(
  items: Choices["items"],
  offered: Choices,
  request: OutboundRequest,
  bodies: BodyWriter,
): Promise<NewRequest> {
  const id = digest(request.id, "choices");
  const content = new TextEncoder().encode(JSON.stringify({ ...offered, items }));
  const choicesKey = await bodies.store(`${id}-posted`, content, "application/json");
  return { ...repeatRequest(request, id), transport: { ...request.transport, choicesKey } };
}

/**
 * Builds the same request again.
 * @returns undefined when the request has already been repeated often enough
 */
export function buildRetryRequest(request: OutboundRequest, emptyAnswers = 0): NewRequest | undefined {
  if (emptyAnswers >= maxEmptyAnswers) return undefined;
  const retry = repeatRequest(request, digest(request.id, "retry"));
  return { ...retry, context: { ...retry.context, emptyAnswers: emptyAnswers + 1 } };
}

/**
 * Builds the request for the page itself, whose metadata Ingather then reads.
 * @param translation the stored response of the server, if it has translated the page
 */
export function buildUntranslatedRequest(
  request: OutboundRequest,
  translation?: { bodyKey: string },
): NewRequest {
  const repeated = repeatRequest(request, digest(request.id, "untranslated"));
  const { returnsChoices: _isList, ...transport } = request.transport ?? {};
  return {
    ...repeated,
    transport: { ...(translation ? transport : request.transport), isUntranslated: true },
    context: { ...repeated.context, ...(translation && { translation }) },
  };
}

function repeatRequest(request: OutboundRequest, id: string): NewRequest {
  const { kind, url, context, transport } = request;
  return { id, kind, url, ...pickRequestPolicy(request), ...(transport && { transport }), context };
}

/** Returns the identifiers of a choice. Its key is its URL or, after a search, its DOI. */
function choiceIdentifiers(key: string): { doi?: string; urls: string[] } {
  const isUrl = URL.canParse(key) && /^https?:/i.test(key);
  const doi = parseDoi(key);
  return { ...(doi !== undefined && { doi }), urls: isUrl ? [key] : [] };
}
