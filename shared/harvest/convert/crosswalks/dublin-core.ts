import { issnProblem, normalizeIssns } from "../../../identifiers/issn.ts";
import { marcLanguage } from "../../../marc/language-codes.ts";
import { languageByName } from "../../../marc/language-names.ts";
import type { DataField } from "../../../marc/record.ts";
import type { Crosswalk } from "../../../records/sources/crosswalk-fields.ts";
import type { XmlElement } from "../../../xml/xml-tree.ts";
import type { CrosswalkResult } from "./described-resource.ts";
import { DublinCoreElements } from "./dublin-core-elements.ts";
import { documentMap, mappedFields, notesMap } from "./dublin-core-map.ts";
import { buildRelationFields } from "./dublin-core-relations.ts";
import { classifyType } from "./dublin-core-types.ts";
import { buildControlFields, buildLeader, buildTypeFields } from "./fixed-fields.ts";
import { identifierFields, identifierUrls, readIdentifier } from "./identifiers.ts";
import { marcField, repeated, withoutRepetitions } from "./marc-fields.ts";
import { nameFields, parseNames } from "./names.ts";
import { earliestYears, parsePublicationYears } from "./publication-years.ts";

/**
 * Describes a resource by simple or qualified Dublin Core (`oai_dc`, `oai_qdc`). `docs/crosswalks.md` explains the
 * differences from the crosswalk of the Library of Congress.
 * @see https://www.loc.gov/marc/dccross.html Dublin Core to MARC Crosswalk
 * @see https://www.loc.gov/standards/marcxml/xslt/DC2MARC21slim.xsl
 */
export function describeDublinCore(root: XmlElement, own?: Crosswalk): CrosswalkResult {
  const all = DublinCoreElements.of(root);
  if (all.values.length === 0) return { type: "unreadable", detail: "it has no Dublin Core element" };
  const ownMap = own?.fields ?? {};
  const dc = all.without(Object.keys(ownMap));
  const ownFields = mappedFields(all.values, ownMap);
  const identifiers = dc
    .of("identifier")
    .filter(({ scheme }) => scheme !== "citation")
    .map(({ text, scheme }) => readIdentifier(text, scheme));
  const type = classifyType(dc.texts("type"), byLowerCase(own?.types));
  const issns = [
    ...identifiers.flatMap((each) => (each.type === "issn" ? [each.value] : [])),
    ...sourceIssns(dc),
  ];
  const level = type.level === "b" && !hasHost(dc, issns) ? "m" : type.level;
  const urls = identifierUrls(identifiers);
  const years = earliestYears(datesOf(dc));
  const { codes, unknown } = languagesOf(dc, byLowerCase(own?.languages));
  const fixed = {
    recordType: type.recordType,
    level,
    encoding: "3u",
    isOnline: urls.length > 0,
    years,
    language: codes[0],
  };
  const parsed = [
    ...dc.texts("creator").map((text) => parseNames(text, "aut")),
    ...dc.texts("contributor").map((text) => parseNames(text, "ctb")),
  ];
  const names = parsed.flatMap((each) => each.names);
  const nameRows = [
    ...nameFields(names, ({ codes: roles }) => roles.includes("aut")),
    ...parsed.flatMap(({ others }) => others.flatMap((text) => marcField("720", "  ", ["a", text]))),
  ];
  const doi = identifiers.find((each) => each.type === "doi")?.value;
  const fields = [
    ...identifiers.flatMap(identifierFields),
    ...(level === "s" ? issns.flatMap((issn) => marcField("022", "  ", ["a", issn])) : []),
    ...codes.flatMap((code) => marcField("041", "  ", ["a", code])),
    ...unknown.flatMap((text) => marcField("546", "  ", ["a", text])),
    ...marcField("042", "  ", ["a", "dc"]),
    ...nameRows,
    ...titleFields(
      dc,
      [...nameRows, ...ownFields].some(([tag]) => tag.startsWith("1")),
    ),
    ...publicationField(dc, years),
    ...buildTypeFields(fixed),
    ...formatFields(dc),
    ...Object.keys(notesMap).flatMap((element) => mappedFields(dc.of(element), notesMap)),
    ...citationFields(dc),
    ...mappedFields(dc.values, documentMap),
    ...subjectFields(dc),
    ...dc.texts("type").flatMap((text) => marcField("655", " 7", ["a", text], ["2", "local"])),
    ...buildRelationFields(dc, level === "s" ? [] : issns),
    ...linkFields(urls, mediaTypes(dc)),
    ...ownFields,
  ];
  return {
    type: "described",
    resource: {
      leader: buildLeader(fixed),
      control: buildControlFields(fixed),
      fields: withoutRepetitions(fields),
      title: dc.texts("title")[0] ?? "",
      ...(doi !== undefined && { doi }),
      ...(years && { date: years.first }),
      ...(urls[0] !== undefined && { url: urls[0] }),
      warnings: years === undefined && datesOf(dc).length > 0 ? [`no year in "${datesOf(dc)[0]}"`] : [],
    },
  };
}

/** Returns the dates of publication, from the most specific element that has any. */
function datesOf(dc: DublinCoreElements): string[] {
  const groups = ["issued", "date", "created", "available", "dateCopyrighted"].map((element) =>
    dc.texts(element),
  );
  return groups.find((dates) => dates.some((date) => parsePublicationYears(date))) ?? groups.flat();
}

function sourceIssns(dc: DublinCoreElements): string[] {
  const found = normalizeIssns(dc.texts("source", "isPartOf"))?.split(", ") ?? [];
  return found.filter((issn) => issnProblem(issn) === undefined);
}

function hasHost(dc: DublinCoreElements, issns: string[]): boolean {
  return issns.length > 0 || dc.of("source", "isPartOf").length > 0;
}

/** MARC codes, and texts that are neither codes nor names of languages. @param own codes of texts, in lower case */
function languagesOf(
  dc: DublinCoreElements,
  own: ReadonlyMap<string, string>,
): { codes: string[]; unknown: string[] } {
  const found = dc.texts("language").map((text) => {
    const name = text.toLowerCase();
    const code = own.get(name) ?? marcLanguage(name.replace(/[-_].*$/s, "")) ?? languageByName(text);
    return { text, code };
  });
  return {
    codes: [...new Set(found.flatMap(({ code }) => code ?? []))],
    unknown: found.flatMap(({ text, code }) => (code === undefined ? [text] : [])),
  };
}

function byLowerCase(map: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(map).map(([text, value]) => [text.toLowerCase(), value]));
}

function titleFields(dc: DublinCoreElements, hasMainEntry: boolean): DataField[] {
  const [title = "", ...others] = dc.texts("title");
  return [
    ...marcField("245", `${hasMainEntry ? "1" : "0"}0`, ["a", title]),
    ...others.flatMap((text) => marcField("246", "33", ["a", text])),
  ];
}

function publicationField(dc: DublinCoreElements, years: ReturnType<typeof earliestYears>): DataField[] {
  const date = years === undefined ? datesOf(dc)[0] : [years.first, years.last].filter(Boolean).join("-");
  return marcField("264", " 1", ...repeated("b", dc.texts("publisher")), ["c", date]);
}

function mediaTypes(dc: DublinCoreElements): string[] {
  return dc.texts("format").filter(isMediaType);
}

function isMediaType(text: string): boolean {
  return /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+$/i.test(text);
}

function formatFields(dc: DublinCoreElements): DataField[] {
  const extents = [...dc.texts("extent"), ...dc.texts("format").filter((text) => !isMediaType(text))];
  return extents.flatMap((text) => marcField("300", "  ", ["a", text]));
}

/**
 * 856, each with one media type at most: as many as there are URLs belong to them in their order, else the first one to the
 * first. Others are the encoding formats of the resource (347).
 */
function linkFields(urls: readonly string[], types: readonly string[]): DataField[] {
  const [first, ...others] = types;
  const isPaired = types.length === urls.length;
  const rest = isPaired ? [] : urls.length === 0 ? types : others;
  return [
    ...urls.flatMap((url, at) =>
      marcField("856", "40", ["u", url], ["q", isPaired ? types[at] : at === 0 ? first : undefined]),
    ),
    ...rest.flatMap((type) => marcField("347", "  ", ["b", type])),
  ];
}

function citationFields(dc: DublinCoreElements): DataField[] {
  return dc
    .of("identifier")
    .filter(({ scheme }) => scheme === "citation")
    .flatMap(({ text }) => marcField("524", "  ", ["a", text]));
}

/**
 * The second indicator of 650, and the code in $2, by the scheme of a subject.
 * @see https://www.loc.gov/marc/bibliographic/bd650.html
 */
const subjectSchemes: ReadonlyMap<string, readonly [indicator: string, code?: string]> = new Map([
  ["lcsh", ["0"]],
  ["mesh", ["2"]],
  ["ddc", ["7", "ddc"]],
  ["ysa", ["7", "ysa"]],
  ["yso", ["7", "yso"]],
  ["gnd", ["7", "gnd"]],
  ["rameau", ["7", "ram"]],
]);

function subjectFields(dc: DublinCoreElements): DataField[] {
  return [
    ...dc.of("subject").flatMap(({ text, scheme }) => {
      const known = subjectSchemes.get(scheme.toLowerCase());
      const parts = text.split(/\s*;\s*/).filter(Boolean);
      if (known === undefined) return parts.flatMap((part) => marcField("653", "  ", ["a", part]));
      return parts.flatMap((part) => marcField("650", ` ${known[0]}`, ["a", part], ["2", known[1]]));
    }),
  ];
}
