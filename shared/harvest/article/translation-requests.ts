import { buildArchiveKeys } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { countKnownReasons, findKnownReason } from "../../archive/known-reason.ts";
import { digest } from "../../core/digest.ts";
import { parseDoi } from "../../identifiers/doi.ts";
import type { ListingResult } from "../../runs/listing-result.ts";
import type { Run } from "../../runs/run.ts";
import type { BodyWriter } from "../../web/gate/bodies.ts";
import type { NewRequest, OutboundRequest } from "../../web/gate/request.ts";
import { type Choices, maxChoices } from "../../web/translation/choices.ts";
import { describeDeferred } from "../listing/article-requests.ts";
import { pickRequestPolicy } from "../request-policy.ts";

/** How often a server that answers with nothing is asked once more. */
const maxEmptyAnswers = 2;

interface ChoicesContext {
  run: Run;
  sourceId: string;
  title: string;
}

/**
 * Asks for those of the offered choices that the archive does not know: by the object that the server has offered them
 * in, with the others taken out. Nothing is asked when none is left.
 */
export async function requestChoices(
  offered: Choices,
  request: OutboundRequest,
  { run, sourceId, title }: ChoicesContext,
  { archive, bodies }: { archive: Pick<ArchiveStore, "knownReasons">; bodies: BodyWriter },
): Promise<ListingResult> {
  const all = Object.entries(offered.items);
  const keyed = all.map((choice) => ({
    choice,
    keys: buildArchiveKeys(choiceIdentifiers(choice[0]), run.deliveryMode),
  }));
  const known = await archive.knownReasons(keyed.flatMap(({ keys }) => keys));
  const reasons = keyed.map(({ keys }) => findKnownReason(keys, known));
  const fresh = keyed.filter((_, at) => reasons[at] === undefined);
  // What a preview does not ask for is left to no other run.
  const wanted = fresh.slice(0, run.newest);
  const chosen = wanted.slice(0, maxChoices).map(({ choice }) => choice);
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      // The list itself was counted as an article: its choices stand in its place.
      entries: all.length - 1,
      known: countKnownReasons(reasons),
      requested: chosen.length - 1,
      dropped: describeDeferred(wanted.length - chosen.length),
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
  return { ...repeatRequest(request, id), translation: { ...request.translation, choicesKey } };
}

/** The same request once more, unless that was tried often enough. */
export function buildRetryRequest(request: OutboundRequest, emptyAnswers = 0): NewRequest | undefined {
  if (emptyAnswers >= maxEmptyAnswers) return undefined;
  const tried = emptyAnswers + 1;
  const next = repeatRequest(request, digest(request.id, "again"));
  return { ...next, context: { ...next.context, emptyAnswers: tried } };
}

function repeatRequest(request: OutboundRequest, id: string): NewRequest {
  const { kind, url, context, translation } = request;
  return { id, kind, url, ...pickRequestPolicy(request), ...(translation && { translation }), context };
}

/** A choice is named by its address, or by its DOI when the server has searched for it. */
function choiceIdentifiers(name: string): { doi?: string; urls: string[] } {
  const isAddress = URL.canParse(name) && /^https?:/i.test(name);
  const doi = parseDoi(name);
  return { ...(doi !== undefined && { doi }), urls: isAddress ? [name] : [] };
}
