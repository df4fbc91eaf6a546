import { oaiRequestUrl } from "../formats/oai/request-url.ts";
import type { SetAudience } from "../formats/oai/set-audience.ts";
import type { CheckedSet } from "./checked-set.ts";

const prefixes = `PREFIX dcmitype: <http://purl.org/dc/dcmitype/>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX doap: <http://usefulinc.com/ns/doap#>
`;

/** Matches the arguments of OAI-PMH in a query that begins with `&`. */
const protocolArguments = "&(verb|metadataPrefix|set|from|until|resumptionToken|identifier)=[^&]*";

/**
 * Builds the query whether a set is published for Primo or DPLA. In the store, the URI of a set is its ListRecords URL.
 * Sets are compared by the service and the `set` argument, regardless of the order of the arguments and the
 * metadataPrefix. Without a `set` argument, only the service is compared. The query contains values of the request only
 * as escaped strings.
 * @see https://www.w3.org/TR/sparql11-query/#ask
 */
export function askWhetherPublished({ firstPageUrl, url, service, spec }: CheckedSet): string {
  const services = [...new Set([service, service.replace(/(?<=^https?:\/\/[^/?#]+)\/(?=$|\?)/, "")])];
  const specFilter =
    spec === undefined
      ? ""
      : `\n  VALUES ?argument { ${specForms(spec, [firstPageUrl, url]).map(stringTerm).join(" ")} }
  FILTER(CONTAINS(?query, ?argument))`;
  return `${prefixes}ASK {
  ?set a dcmitype:Collection .
  ?aggregation prov:wasDerivedFrom ?set ; doap:audience ?target .
  FILTER(STR(?target) IN ("primo", "dpla"))
  BIND(STR(?set) AS ?uri)
  BIND(IF(CONTAINS(?uri, "?"), STRBEFORE(?uri, "?"), ?uri) AS ?base)
  BIND(CONCAT("&", STRAFTER(?uri, "?"), "&") AS ?query)
  BIND(REPLACE(CONCAT("&", STRAFTER(?uri, "?")), "${protocolArguments}", "") AS ?others)
  BIND(CONCAT(?base, IF(STRLEN(?others) > 1, CONCAT("?", SUBSTR(?others, 2)), "")) AS ?service)
  FILTER(?service IN (${services.map(stringTerm).join(", ")}))${specFilter}
}`;
}

/**
 * Builds the update that registers a harvested set as published for these audiences. They replace the audiences that
 * its source had before; an empty list withdraws the registration. It is a single operation, so that a check sees
 * either the old or the new state.
 * @param set.metadataPrefix the metadata prefix of the harvest
 * @see https://www.w3.org/TR/sparql11-update/#deleteInsert
 */
export function registerPublished(
  set: { sourceId: string; service: string; spec?: string; metadataPrefix: string },
  audiences: readonly SetAudience[],
): string {
  const { sourceId, service, spec, metadataPrefix } = set;
  const uri = uriTerm(
    oaiRequestUrl(service, "ListRecords", { metadataPrefix, ...(spec !== undefined && { set: spec }) }),
  );
  const aggregation = uriTerm(`urn:ingather:source:${encodeURIComponent(sourceId)}`);
  const inserted =
    audiences.length === 0
      ? ""
      : `\n  ${uri} a dcmitype:Collection .
  ${aggregation} prov:wasDerivedFrom ${uri} ; doap:audience ${audiences.map(stringTerm).join(", ")} .`;
  return `${prefixes}DELETE { ${aggregation} ?property ?value }
INSERT {${inserted}
}
WHERE { OPTIONAL { ${aggregation} ?property ?value } }`;
}

/** Returns the forms in which the argument may occur in the query of a URI, between `&` and `&`. */
function specForms(spec: string, urls: string[]): string[] {
  const encoded = encodeURIComponent(spec);
  const asGiven = urls.flatMap((url) => /[?&]set=([^&#]*)/.exec(url)?.[1] ?? []);
  const plain = /[&#+%]/.test(spec) ? [] : [spec];
  const lowerCase = encoded.replaceAll(/%[\dA-F]{2}/g, (triplet) => triplet.toLowerCase());
  const forms = [
    ...plain,
    encoded,
    lowerCase,
    encoded.replaceAll("%20", "+"),
    encoded.replaceAll("%3A", ":"),
    ...asGiven,
  ];
  // The other forms contain characters that no URI contains, so they could not match.
  const inUris = forms.filter((form) => !/[\p{Cc} <>"{}|\\^`]/u.test(form));
  return [...new Set(inUris)].map((form) => `&set=${form}&`);
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/**
 * Formats a string literal.
 * @see https://www.w3.org/TR/sparql11-query/#rSTRING_LITERAL2
 */
export function stringTerm(text: string): string {
  const escaped = text.replaceAll(/[\\"\n\r\t]/g, (character) => escapes[character] ?? "");
  return `"${escaped.replaceAll(/\p{Cc}|\p{Surrogate}/gu, "\ufffd")}"`;
}

/**
 * Formats a URI. Characters that it may not contain are percent-encoded.
 * @see https://www.w3.org/TR/sparql11-query/#rIRIREF
 */
export function uriTerm(uri: string): string {
  return `<${uri.replaceAll(/[\0- <>"{}|\\^`]/g, (character) => encodeURIComponent(character).replace("`", "%60"))}>`;
}
