import type { Authority } from "../../convert/authorities.ts";
import { digest } from "../../core/digest.ts";
import type { Group } from "../../sources/group.ts";
import type { Settings } from "../../sources/settings.ts";
import type { Source } from "../../sources/source.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import { describeUnusableOutcome, isUsableAnswer, type ResponseOutcome } from "../../web/gate/response.ts";

/** Where a source's names are looked up: the subgroup's address before the group's; undefined when neither has one. */
export function authorityLookupUrl(source: Source, group: Group, settings: Settings): string | undefined {
  const subgroup = settings.subgroups.find(({ subgroupId }) => subgroupId === source.subgroupId);
  return subgroup?.authorLookupUrl ?? group.authorLookupUrl;
}

/** One question to the authority file; the same name at the same address is the same question. */
export interface AuthorityLookup {
  lookupId: string;
  name: string;
  url: string;
}

export function buildAuthorityLookup(name: string, base: string): AuthorityLookup {
  const url = base + encodeURIComponent(name);
  return { lookupId: digest("authority", url), name, url };
}

/** Reads what became of the request for a lookup. */
export async function readAuthorityOutcome(outcome: ResponseOutcome, bodies: BodyReader): Promise<Authority> {
  if (!isUsableAnswer(outcome)) return { type: "failed", reason: describeUnusableOutcome(outcome) };
  const bytes = outcome.bodyKey === undefined ? new Uint8Array() : await bodies.load(outcome.bodyKey);
  return parseAuthorityPage(new TextDecoder().decode(bytes));
}

/**
 * Reads the page of an answer: the first link to the authority file is the person.
 * @see https://www.dnb.de/DE/Professionell/Standardisierung/GND/gnd_node.html
 */
export function parseAuthorityPage(page: string): Authority {
  const number = /\bd-nb\.info\/gnd\/([0-9][0-9X-]*)/i.exec(page)?.[1];
  return number === undefined ? { type: "unknown" } : { type: "identified", number };
}
