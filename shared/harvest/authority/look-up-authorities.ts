import type { Authorities } from "../convert/authorities.ts";
import { type Lookup, type LookupContext, type LookupPorts, lookUp } from "../lookups/look-up.ts";
import { buildAuthorityLookup } from "./authority.ts";

/**
 * Looks up names in the authority file.
 * @param context.base the base URL of the lookup; if undefined, names are not looked up
 * @returns the cached responses; undefined when some names had to be requested
 */
export async function lookUpAuthorities(
  names: string[],
  { base, userAgent, ...context }: LookupContext & { base: string | undefined; userAgent: string },
  ports: LookupPorts,
): Promise<Authorities | undefined> {
  if (base === undefined || names.length === 0) return new Map();
  const named = names.map((name) => buildAuthorityLookup(name, base));
  // robots.txt is ignored except for Crawl-delay, because the lookup URL is configured and not found by following links.
  const lookups = named.map(
    ({ lookupId, url }): Lookup => ({
      lookupId,
      request: { kind: "authority", url, userAgent, obeyRobots: false },
    }),
  );
  const answers = await lookUp(lookups, context, ports);
  if (answers === undefined) return undefined;
  return new Map(
    named.map(({ name, lookupId }) => {
      const answer = answers.get(lookupId);
      return [name, answer === undefined || answer.type === "registered" ? { type: "unknown" } : answer];
    }),
  );
}
