import { digest } from "../../core/digest.ts";
import type { BodyStore } from "../../ports.ts";
import type { Group } from "../../sources/group.ts";
import type { Settings } from "../../sources/settings.ts";
import type { Source } from "../../sources/source.ts";
import { describeMiss, isFound, type ResponseOutcome } from "../../web/gate/response.ts";

/** What the authority file (GND) answered when it was asked for a name. */
export type Authority =
  | { type: "identified"; number: string }
  | { type: "unknown" }
  /** No answer was to be had; nothing is known of the name. */
  | { type: "failed"; reason: string };

/** By "Last, First". */
export type Authorities = ReadonlyMap<string, Authority>;

/** Where a source's names are looked up: the subgroup's address before the group's; undefined when neither has one. */
export function lookupBase(source: Source, group: Group, settings: Settings): string | undefined {
  const subgroup = settings.subgroups.find(({ subgroupId }) => subgroupId === source.subgroupId);
  return subgroup?.authorLookupUrl ?? group.authorLookupUrl;
}

/** One question to the authority file; the same name at the same address is the same question. */
export interface Lookup {
  lookupId: string;
  name: string;
  url: string;
}

export function lookupOf(name: string, base: string): Lookup {
  const url = base + encodeURIComponent(name);
  return { lookupId: digest("authority", url), name, url };
}

/** Reads what became of the request for a lookup. */
export async function readAuthority(outcome: ResponseOutcome, bodies: BodyStore): Promise<Authority> {
  if (!isFound(outcome)) return { type: "failed", reason: describeMiss(outcome) };
  const bytes = outcome.bodyKey === undefined ? new Uint8Array() : await bodies.body(outcome.bodyKey);
  return readAuthorityPage(new TextDecoder().decode(bytes));
}

/**
 * Reads the page of an answer: the first link to the authority file is the person.
 * @see https://www.dnb.de/DE/Professionell/Standardisierung/GND/gnd_node.html
 */
export function readAuthorityPage(page: string): Authority {
  const number = /\bd-nb\.info\/gnd\/([0-9][0-9X-]*)/i.exec(page)?.[1];
  return number === undefined ? { type: "unknown" } : { type: "identified", number };
}
