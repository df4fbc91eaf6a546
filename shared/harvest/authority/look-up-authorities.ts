import { digest } from "../../core/digest.ts";
import type { BodyWriter } from "../../web/gate/bodies.ts";
import { withStoredBody } from "../../web/gate/message-body.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { Authorities, Authority } from "../convert/authorities.ts";
import { type AuthorityLookup, buildAuthorityLookup } from "./authority.ts";
import type { AuthorityStore } from "./authority-store.ts";
import type { WaitingArticles } from "./waiting-articles.ts";

export interface LookUpAuthoritiesPorts {
  authorities: AuthorityStore;
  waiting: WaitingArticles;
  requests: RequestQueue;
  bodies: BodyWriter;
}

interface AuthorityLookupContext {
  runId: string;
  /** The article response that contains the names. It is read again when all names have been looked up. */
  response: InboundResponse;
  /** The base URL of the lookup; if undefined, names are not looked up. */
  base: string | undefined;
  userAgent: string;
}

/**
 * Looks up names in the authority file.
 * @returns the cached responses; undefined when some names had to be requested. The last of their responses then
 * delivers the article response to its reader again
 */
export async function lookUpAuthorities(
  names: string[],
  { runId, response, base, userAgent }: AuthorityLookupContext,
  ports: LookUpAuthoritiesPorts,
): Promise<Authorities | undefined> {
  if (base === undefined || names.length === 0) return new Map();
  const lookups = names.map((name) => buildAuthorityLookup(name, base));
  const known = await ports.authorities.cached(lookups.map(({ lookupId }) => lookupId));
  const missing = missingLookups(lookups, known);
  if (missing.length === 0) return mapByName(lookups, known);

  await ports.waiting.add(
    runId,
    await withStoredBody(response, ports.bodies),
    missing.map(({ lookupId }) => lookupId),
  );
  // A response that arrived before the article was registered as waiting would not deliver the article again.
  // Therefore, the cache is read again.
  const knownMeanwhile = await ports.authorities.cached(missing.map(({ lookupId }) => lookupId));
  const unanswered = missingLookups(missing, knownMeanwhile);
  if (unanswered.length === 0) return mapByName(lookups, new Map([...known, ...knownMeanwhile]));
  await ports.requests.send(unanswered.map((lookup) => buildLookupRequest(lookup, { runId, userAgent })));
  return undefined;
}

function missingLookups(
  lookups: AuthorityLookup[],
  known: ReadonlyMap<string, Authority>,
): AuthorityLookup[] {
  return lookups.filter(({ lookupId }) => !known.has(lookupId));
}

function mapByName(lookups: AuthorityLookup[], known: ReadonlyMap<string, Authority>): Authorities {
  return new Map(
    lookups.map(({ name, lookupId }) => [name, known.get(lookupId) ?? { type: "unknown" as const }]),
  );
}

/**
 * Builds the request of a lookup. robots.txt is ignored except for Crawl-delay, because the lookup URL is configured
 * and not found by following links.
 */
function buildLookupRequest(
  { lookupId, url }: AuthorityLookup,
  { runId, userAgent }: Pick<AuthorityLookupContext, "runId" | "userAgent">,
): NewRequest {
  return {
    id: digest(runId, lookupId),
    kind: "authority",
    url,
    userAgent,
    obeyRobots: false,
    context: { runId, lookupId },
  };
}
