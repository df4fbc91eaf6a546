import { formatArk, parseArk } from "../../../identifiers/ark.ts";
import { findDoiInUrl, parseDoi } from "../../../identifiers/doi.ts";
import { isPrintedIsbn10, isValidIsbn, normalizeIsbns } from "../../../identifiers/isbn.ts";
import { issnProblem, normalizeIssns } from "../../../identifiers/issn.ts";
import type { DataField } from "../../../marc/record.ts";
import { marcField } from "./marc-fields.ts";

/** The interpretation of a document's identifier. A URL that contains an identifier is interpreted as both. */
export type DocumentIdentifier =
  | { type: "doi" | "hdl" | "ark" | "urn" | "isbn" | "issn" | "other"; value: string; url?: string }
  | { type: "url"; value: string };

const handleUrl = /^https?:\/\/hdl\.handle\.net\/(\d[\d.]*\/\S+)$/i;
const resolvedDoi = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:|info:doi\/|10\.\d{4,9}\/)/i;

/**
 * Reads an identifier.
 * @param stated the type that the document gives, such as `doi`, `issn` or `hdl`
 */
export function readIdentifier(text: string, stated = ""): DocumentIdentifier {
  const value = text.trim();
  const kind = stated.toLowerCase().replace(/^dcterms:/, "");
  const url = /^https?:\/\/\S+$/i.test(value) ? value : undefined;
  const withUrl = url === undefined ? {} : { url };
  if (kind === "doi" || resolvedDoi.test(value)) {
    const doi = parseDoi(value) ?? (url && findDoiInUrl(url));
    if (doi !== undefined) return { type: "doi", value: doi, ...withUrl };
  }
  const handle =
    handleUrl.exec(value)?.[1] ??
    (/^(?:hdl|handle)$/.test(kind) || /^hdl:/i.test(value) ? value.replace(/^hdl:/i, "") : undefined);
  if (handle !== undefined) return { type: "hdl", value: handle, ...withUrl };
  const arkAt = value.search(/ark:\/?\d/i);
  const ark = arkAt < 0 ? undefined : parseArk(value.slice(arkAt));
  if (ark !== undefined) return { type: "ark", value: formatArk(ark), ...withUrl };
  if (url !== undefined) return { type: "url", value: url };
  if (/^urn:nbn:/i.test(value)) return { type: "urn", value };
  if (
    kind === "issn" ||
    kind === "issn-l" ||
    /^(?:e-?|p-?)?(?:urn:)?issn\b/i.test(value) ||
    issnProblem(value) === undefined
  ) {
    const issn = normalizeIssns([value])
      ?.split(", ")
      .find((each) => issnProblem(each) === undefined);
    if (issn !== undefined) return { type: "issn", value: issn };
  }
  if (
    kind === "isbn" ||
    /^(?:urn:)?isbn\b/i.test(value) ||
    /^97[89][\d -]{10,14}$/.test(value) ||
    isPrintedIsbn10(value)
  ) {
    const isbn = normalizeIsbns([value])?.split(", ")[0];
    if (isbn !== undefined) return { type: "isbn", value: isbn };
  }
  return { type: "other", value };
}

/**
 * Builds the fields of an identifier. Identifiers of serials are left out, because an ISSN may belong to the resource
 * or to its host.
 * @see https://www.loc.gov/standards/sourcelist/standard-identifier.html codes of 024 $2
 */
export function identifierFields(identifier: DocumentIdentifier): DataField[] {
  const { type, value } = identifier;
  switch (type) {
    case "doi":
    case "hdl":
    case "ark":
    case "urn":
      return marcField("024", "7 ", ["a", value], ["2", type]);
    case "isbn":
      return marcField("020", "  ", [isbnCode(value), value]);
    case "other":
      return marcField("024", "8 ", ["a", value]);
    default:
      return [];
  }
}

/**
 * Returns the subfield of 020 for an ISBN without hyphens: `z` when its check digit is wrong.
 * @see https://www.loc.gov/marc/bibliographic/bd020.html
 */
function isbnCode(isbn: string): "a" | "z" {
  return isValidIsbn(isbn) ? "a" : "z";
}

/**
 * Returns the pages of identifiers: URLs unchanged, and for other identifiers the address at which they are resolved.
 */
export function identifierUrls(identifiers: readonly DocumentIdentifier[]): string[] {
  const urls = identifiers.flatMap((identifier) => {
    if (identifier.type === "url") return [identifier.value];
    if (identifier.type === "doi") return [`https://doi.org/${identifier.value}`];
    if (identifier.type === "hdl") return [identifier.url ?? `https://hdl.handle.net/${identifier.value}`];
    return identifier.url === undefined ? [] : [identifier.url];
  });
  return [...new Set(urls)];
}
