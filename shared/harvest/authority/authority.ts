import { digest } from "../../core/digest.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import { describeUnusableOutcome, isUsableAnswer, type ResponseOutcome } from "../../web/request/response.ts";
import type { Authority } from "../convert/authorities.ts";
import { loadBody } from "../load-body.ts";

/**
 * Returns the base URL for looking up a source's names. The URL of the subgroup takes precedence over that of the
 * group.
 * @returns undefined when neither has one
 */
export function authorityLookupUrl(source: Source, group: Group, settings: Settings): string | undefined {
  const subgroup = settings.subgroups.find(({ subgroupId }) => subgroupId === source.subgroupId);
  return subgroup?.authorLookupUrl ?? group.authorLookupUrl;
}

/** A query to the authority file, identified by the name and the base URL. */
interface AuthorityLookup {
  lookupId: string;
  name: string;
  url: string;
}

export function buildAuthorityLookup(name: string, base: string): AuthorityLookup {
  const url = base + encodeURIComponent(name);
  return { lookupId: digest("authority", url), name, url };
}

/** Parses the response to a lookup. */
export async function readAuthorityOutcome(outcome: ResponseOutcome, bodies: BodyReader): Promise<Authority> {
  if (!isUsableAnswer(outcome)) return { type: "failed", reason: describeUnusableOutcome(outcome) };
  return parseAuthorityPage(new TextDecoder().decode(await loadBody(outcome, bodies)));
}

/** Matches the URL of a GND number. GND numbers have at most eleven characters. */
const gndNumber = /\bd-nb\.info\/gnd\/([0-9][0-9X-]{0,15})(?![0-9X-])/i;

/** Matches the preferred name of a pope or monarch: "Johannes Paul II., Papst", "Karl III., Großbritannien, König". */
const regnalTitle =
  /[IVX]+\.?,\s(?:[\p{L} -]{1,40},\s)?((?:Gegenp|P)apst|König(?:in)?|Kaiser(?:in)?|Zar(?:in)?|Patriarch)(?!\p{L})/u;

/**
 * Finds the person in a result page, which is the first link to a GND number, and the title of a pope or monarch.
 * @see https://www.dnb.de/DE/Professionell/Standardisierung/GND/gnd_node.html
 */
export function parseAuthorityPage(page: string): Authority {
  const number = gndNumber.exec(page)?.[1];
  const title = regnalTitle.exec(page)?.[1];
  return number === undefined
    ? { type: "unknown" }
    : { type: "identified", number, ...(title !== undefined && { title }) };
}
