import {
  type Authorities,
  type Authority,
  lookupOf,
  readAuthority,
} from "../../shared/harvest/authority/authority.ts";
import type { InProcessGate } from "./in-process-gate.ts";

/** What the authority file says of the names, each asked for once and in its host's turn. */
export async function lookUpNames(
  names: readonly string[],
  base: string | undefined,
  gate: InProcessGate,
): Promise<Authorities> {
  if (base === undefined) return new Map();
  const asked = names.map(async (name) => [name, await lookUp(name, base, gate)] as const);
  return new Map(await Promise.all(asked));
}

async function lookUp(name: string, base: string, gate: InProcessGate): Promise<Authority> {
  const { lookupId, url } = lookupOf(name, base);
  // robots.txt is for those who follow links: this address was given to us to be asked.
  const { outcome } = await gate.ask({ id: lookupId, kind: "authority", url, obeyRobots: false });
  return readAuthority(outcome, gate);
}
