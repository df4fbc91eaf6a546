import type { Authorities, Authority } from "../../convert/authorities.ts";
import { digest } from "../../core/digest.ts";
import type { NewRequest, RequestQueue } from "../../web/gate/request.ts";
import type { InboundResponse } from "../../web/gate/response.ts";
import { type AuthorityLookup, buildAuthorityLookup } from "./authority.ts";
import type { AuthorityStore } from "./authority-store.ts";
import type { WaitingArticles } from "./waiting-articles.ts";

export interface LookUpAuthoritiesPorts {
  authorities: AuthorityStore;
  waiting: WaitingArticles;
  requests: RequestQueue;
}

interface AuthorityLookupContext {
  runId: string;
  /** The answer that the names were read from: it is read again when they are known. */
  response: InboundResponse;
  /** Where names are looked up; nowhere when absent. */
  base: string | undefined;
  userAgent: string;
}

/**
 * What the authority file says of the names. Undefined when it has still to be asked for some of them: the last answer
 * sends the article's own answer to its reader again.
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
    response,
    missing.map(({ lookupId }) => lookupId),
  );
  // Who answered before we waited has woken nobody.
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

/** robots.txt is for those who follow links: this address was given to us to be asked. Its Crawl-delay holds. */
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
