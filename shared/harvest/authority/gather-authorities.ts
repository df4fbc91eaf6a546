import { digest } from "../../core/digest.ts";
import type { AuthorityStore, Requests, WaitingArticles } from "../../ports.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import type { InboundResponse } from "../../web/gate/response.ts";
import { type Authorities, type Authority, type Lookup, lookupOf } from "./authority.ts";

export interface GatherPorts {
  authorities: AuthorityStore;
  waiting: WaitingArticles;
  requests: Requests;
}

interface Circumstances {
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
export async function gatherAuthorities(
  names: string[],
  { runId, response, base, userAgent }: Circumstances,
  ports: GatherPorts,
): Promise<Authorities | undefined> {
  if (base === undefined || names.length === 0) return new Map();
  const lookups = names.map((name) => lookupOf(name, base));
  const known = await ports.authorities.known(lookups.map(({ lookupId }) => lookupId));
  const missing = without(lookups, known);
  if (missing.length === 0) return byName(lookups, known);

  await ports.waiting.wait(
    runId,
    response,
    missing.map(({ lookupId }) => lookupId),
  );
  // Who answered before we waited has woken nobody.
  const sinceThen = await ports.authorities.known(missing.map(({ lookupId }) => lookupId));
  const open = without(missing, sinceThen);
  if (open.length === 0) return byName(lookups, new Map([...known, ...sinceThen]));
  await ports.requests.send(open.map((lookup) => requestFor(lookup, { runId, userAgent })));
  return undefined;
}

function without(lookups: Lookup[], known: ReadonlyMap<string, Authority>): Lookup[] {
  return lookups.filter(({ lookupId }) => !known.has(lookupId));
}

function byName(lookups: Lookup[], known: ReadonlyMap<string, Authority>): Authorities {
  return new Map(
    lookups.map(({ name, lookupId }) => [name, known.get(lookupId) ?? { type: "unknown" as const }]),
  );
}

/** robots.txt is for those who follow links: this address was given to us to be asked. Its Crawl-delay holds. */
function requestFor(
  { lookupId, url }: Lookup,
  { runId, userAgent }: Pick<Circumstances, "runId" | "userAgent">,
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
