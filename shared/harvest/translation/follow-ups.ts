import { digest } from "../../core/digest.ts";
import type { ArchiveStore, BodyKeeper } from "../../ports.ts";
import type { NewRequest, OutboundRequest } from "../../web/gate/request.ts";
import { type Choices, mostChoices } from "../../web/translation/choices.ts";
import { archiveKeys } from "../archive-keys.ts";
import { leftOver, mannersOf } from "../article-requests.ts";
import { statedDoi } from "../doi.ts";
import { countReasons, reasonOf } from "../known.ts";
import type { Listing } from "../listing.ts";
import type { Run } from "../run.ts";

/** How often a server that answers with nothing is asked once more. */
const mostEmptyAnswers = 2;

interface ChoicesContext {
  run: Run;
  sourceId: string;
  title: string;
}

/**
 * Asks for those of the offered choices that the archive does not know: by the object that the server has offered them
 * in, with the others taken out. Nothing is asked when none is left.
 */
export async function takeChoices(
  offered: Choices,
  request: OutboundRequest,
  { run, sourceId, title }: ChoicesContext,
  { archive, bodies }: { archive: Pick<ArchiveStore, "known">; bodies: BodyKeeper },
): Promise<Listing> {
  const all = Object.entries(offered.items);
  const keyed = all.map((choice) => ({ choice, keys: archiveKeys(addressOf(choice[0]), run.deliveryMode) }));
  const known = await archive.known(keyed.flatMap(({ keys }) => keys));
  const reasons = keyed.map(({ keys }) => reasonOf(keys, known));
  const fresh = keyed.filter((_, at) => reasons[at] === undefined);
  // What a preview does not ask for is left to no other run.
  const wanted = fresh.slice(0, run.newest);
  const taken = wanted.slice(0, mostChoices).map(({ choice }) => choice);
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      // The list itself was counted as an article: its choices stand in its place.
      entries: all.length - 1,
      known: countReasons(reasons),
      requested: taken.length - 1,
      dropped: leftOver(wanted.length - taken.length),
    },
    articles: [],
    pages: taken.length === 0 ? [] : [await requestFor(Object.fromEntries(taken), offered, request, bodies)],
  };
}

async function requestFor(
  items: Choices["items"],
  offered: Choices,
  request: OutboundRequest,
  bodies: BodyKeeper,
): Promise<NewRequest> {
  const id = digest(request.id, "choices");
  const content = new TextEncoder().encode(JSON.stringify({ ...offered, items }));
  const choicesKey = await bodies.keep(`${id}-posted`, content, "application/json");
  return { ...again(request, id), translation: { ...request.translation, choicesKey } };
}

/** The same request once more, unless that was tried often enough. */
export function askAgain(request: OutboundRequest, emptyAnswers = 0): NewRequest | undefined {
  if (emptyAnswers >= mostEmptyAnswers) return undefined;
  const tried = emptyAnswers + 1;
  const next = again(request, digest(request.id, "again"));
  return { ...next, context: { ...next.context, emptyAnswers: tried } };
}

function again(request: OutboundRequest, id: string): NewRequest {
  const { kind, url, context, translation } = request;
  return { id, kind, url, ...mannersOf(request), ...(translation && { translation }), context };
}

/** A choice is named by its address, or by its DOI when the server has searched for it. */
function addressOf(name: string): { doi?: string; urls: string[] } {
  const isAddress = URL.canParse(name) && /^https?:/i.test(name);
  const doi = statedDoi(name);
  return { ...(doi !== undefined && { doi }), urls: isAddress ? [name] : [] };
}
