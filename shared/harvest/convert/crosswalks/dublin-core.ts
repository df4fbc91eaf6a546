import { issnProblem, normalizeIssns } from "../../../identifiers/issn.ts";
import { marcLanguage } from "../../../marc/language-codes.ts";
import type { DataField } from "../../../marc/record.ts";
import type { XmlElement } from "../../../xml/xml-tree.ts";
import type { CrosswalkResult } from "./described-resource.ts";
import { DublinCoreElements } from "./dublin-core-elements.ts";
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
export function describeDublinCore(root: XmlElement): CrosswalkResult {
  const dc = new DublinCoreElements(root);
  if (dc.values.length === 0) return { type: "unreadable", detail: "it has no Dublin Core element" };
  const identifiers = dc
    .of("identifier")
    .filter(({ scheme }) => scheme !== "citation")
    .map(({ text, scheme }) => readIdentifier(text, scheme));
  const type = classifyType(dc.texts("type"));
  const issns = [
    ...identifiers.flatMap((each) => (each.type === "issn" ? [each.value] : [])),
    ...sourceIssns(dc),
  ];
  const level = type.level === "b" && !hasHost(dc, issns) ? "m" : type.level;
  const urls = identifierUrls(identifiers);
  const years = earliestYears(datesOf(dc));
  const { codes, unknown } = languagesOf(dc);
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
      nameRows.some(([tag]) => tag.startsWith("1")),
    ),
    ...publicationField(dc, years),
    ...buildTypeFields(fixed),
    ...formatFields(dc),
    ...noteFields(dc),
    ...subjectFields(dc),
    ...dc.texts("type").flatMap((text) => marcField("655", " 7", ["a", text], ["2", "local"])),
    ...buildRelationFields(dc, level === "s" ? [] : issns),
    ...urls.flatMap((url, at) =>
      marcField("856", "40", ["u", url], ...(at === 0 ? repeated("q", mediaTypes(dc)) : [])),
    ),
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

/** Returns MARC codes, and texts that are not codes. */
function languagesOf(dc: DublinCoreElements): { codes: string[]; unknown: string[] } {
  const found = dc
    .texts("language")
    .map((text) => ({ text, code: marcLanguage(text.toLowerCase().replace(/[-_].*$/s, "")) }));
  return {
    codes: [...new Set(found.flatMap(({ code }) => code ?? []))],
    unknown: found.flatMap(({ text, code }) => (code === undefined ? [text] : [])),
  };
}

function titleFields(dc: DublinCoreElements, hasMainEntry: boolean): DataField[] {
  const [title = "", ...others] = dc.texts("title");
  return [
    ...marcField("245", `${hasMainEntry ? "1" : "0"}0`, ["a", title]),
    ...[...others, ...dc.texts("alternative")].flatMap((text) => marcField("246", "33", ["a", text])),
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
  return [
    ...extents.flatMap((text) => marcField("300", "  ", ["a", text])),
    ...dc.texts("medium").flatMap((text) => marcField("340", "  ", ["a", text])),
  ];
}

/** The elements that become a note, with the tag, indicators and code of the note. */
const notes: readonly (readonly [element: string, tag: string, indicators: string])[] = [
  ["coverage", "500", "  "],
  ["bibliographicCitation", "524", "  "],
  ["tableOfContents", "505", "0 "],
  ["description", "520", "  "],
  ["abstract", "520", "3 "],
  ["accessRights", "506", "  "],
  ["rightsHolder", "542", "  "],
  ["audience", "521", "  "],
  ["educationLevel", "521", "  "],
  ["provenance", "561", "  "],
  ["requires", "538", "  "],
];

function noteFields(dc: DublinCoreElements): DataField[] {
  return [
    ...notes.flatMap(([element, tag, indicators]) =>
      dc.texts(element).flatMap((text) => marcField(tag, indicators, [tag === "542" ? "d" : "a", text])),
    ),
    ...dc
      .of("identifier")
      .filter(({ scheme }) => scheme === "citation")
      .flatMap(({ text }) => marcField("524", "  ", ["a", text])),
    ...dc
      .texts("rights", "license")
      .flatMap((text) => marcField("540", "  ", [/^https?:\/\/\S+$/i.test(text) ? "u" : "a", text])),
  ];
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
    ...dc.texts("spatial").flatMap((text) => marcField("651", " 4", ["a", text])),
    ...dc.texts("temporal").flatMap((text) => marcField("648", " 4", ["a", text])),
  ];
}
