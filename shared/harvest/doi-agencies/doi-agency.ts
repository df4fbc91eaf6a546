import { digest } from "../../core/digest.ts";
import { parseJson } from "../../core/parse-json.ts";
import { userAgentSchema } from "../../core/user-agent.ts";
import { parseCrossref } from "../../formats/registered/crossref.ts";
import { parseDatacite } from "../../formats/registered/datacite.ts";
import type { RegisteredWork } from "../../formats/registered/registered-work.ts";
import { doiKey } from "../../identifiers/doi.ts";
import type { Group } from "../../records/sources/group.ts";
import type { DoiAgency } from "../../records/sources/witness-fields.ts";
import type { Lookup } from "../lookups/look-up.ts";

interface AgencyApi {
  /** The URL of the API, to which the escaped DOI is appended. */
  url: string;
  accept: string;
  /** The delay between two requests. */
  throttleMs: number;
}

/**
 * The APIs of the registration agencies. Both serve clients that name a mail address better. Their limits in November
 * 2026: Crossref 10 requests per second, which its headers also say; DataCite 1,000 requests in five minutes.
 * @see https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/
 * @see https://support.datacite.org/docs/rate-limit
 */
const agencyApis: Readonly<Record<DoiAgency, AgencyApi>> = {
  crossref: {
    url: "https://api.crossref.org/works/",
    accept: "application/json",
    throttleMs: 200,
  },
  datacite: {
    url: "https://api.datacite.org/dois/",
    accept: "application/vnd.api+json",
    throttleMs: 500,
  },
};

/**
 * Builds the lookup of a DOI.
 * @param context.notAfter the time (ISO 8601) after which the article goes without an answer
 * @see https://api.crossref.org/swagger-ui/index.html for the mail address in the User-Agent
 */
export function buildDoiLookup(
  agency: DoiAgency,
  doi: string,
  { group, notAfter }: { group: Group; notAfter: string },
): Lookup {
  const { accept, throttleMs } = agencyApis[agency];
  const base = group.agencyUrls?.[agency] ?? agencyApis[agency].url;
  return {
    lookupId: digest("doi", base, doiKey(doi) ?? doi),
    request: {
      kind: "doi-metadata",
      url: base + encodeURIComponent(doi),
      userAgent: withContact(group),
      headers: { accept },
      throttleMs,
      // The URL is configured and not found by following links.
      obeyRobots: false,
      notAfter,
    },
  };
}

/** Returns the User-Agent with the address at which the agency can reach the operator. */
function withContact({ userAgent, contactMail }: Group): string {
  const named = `${userAgent} (mailto:${contactMail})`;
  const isNamed = contactMail === undefined || userAgent.includes("mailto:");
  return isNamed || !userAgentSchema.safeParse(named).success ? userAgent : named;
}

/** Parses an agency's answer. */
export function parseAgencyAnswer(bytes: Uint8Array): RegisteredWork | undefined {
  const json = parseJson(bytes);
  return parseCrossref(json) ?? parseDatacite(json);
}
