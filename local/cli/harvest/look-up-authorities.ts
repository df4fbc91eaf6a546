import { buildAuthorityLookup, readAuthorityOutcome } from "../../../shared/harvest/authority/authority.ts";
import type { Authorities, Authority } from "../../../shared/harvest/convert/authorities.ts";
import type { InProcessGate } from "./in-process-gate.ts";

/** Looks up each name once in the authority file, through the gate. */
export async function lookUpAuthorities(
  names: readonly string[],
  base: string | undefined,
  gate: InProcessGate,
): Promise<Authorities> {
  if (base === undefined) return new Map();
  const lookups = names.map(async (name) => [name, await lookUpAuthority(name, base, gate)] as const);
  return new Map(await Promise.all(lookups));
}

async function lookUpAuthority(name: string, base: string, gate: InProcessGate): Promise<Authority> {
  const { lookupId, url } = buildAuthorityLookup(name, base);
  // robots.txt does not apply, because the lookup URL is configured and was not found by following links.
  const { outcome } = await gate.fetch({ id: lookupId, kind: "authority", url, obeyRobots: false });
  return readAuthorityOutcome(outcome, gate);
}
