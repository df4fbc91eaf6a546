import type { DataField } from "../../../marc/record.ts";
import type { XmlElement } from "../../../xml/xml-tree.ts";
import { marcField, repeated } from "./marc-fields.ts";
import { modsChildren, modsPath, modsTexts, textsOf } from "./mods-values.ts";
import { earliestYears, type PublicationYears, parsePublicationYears } from "./publication-years.ts";

/**
 * The second indicators of 264 by the function that originInfo names.
 * @see https://www.loc.gov/marc/bibliographic/bd264.html
 */
const functions: ReadonlyMap<string, string> = new Map([
  ["production", "0"],
  ["producer", "0"],
  ["publication", "1"],
  ["publisher", "1"],
  ["distribution", "2"],
  ["distributor", "2"],
  ["manufacture", "3"],
  ["manufacturer", "3"],
]);

/** Builds 033, 044, 046, 250, 264 and 310 from all originInfo elements. */
export function modsOriginFields(mods: XmlElement): DataField[] {
  return modsChildren(mods, "originInfo").flatMap((origin) => [
    ...marcField("033", "0 ", ...repeated("a", textsOf(modsChildren(origin, "dateCaptured").filter(isIso)))),
    ...marcField("044", "  ", ...repeated("c", textsOf(placeCodes(origin, "iso3166")))),
    ...codedDates(origin),
    ...modsTexts(origin, "edition").flatMap((text) => marcField("250", "  ", ["a", text])),
    ...publicationField(origin),
    ...copyrightField(origin),
    ...modsTexts(origin, "frequency")
      .slice(0, 1)
      .flatMap((text) => marcField("310", "  ", ["a", text])),
  ]);
}

/** Builds the publication field. It is always 264, as in RDA records; 260 is older. */
function publicationField(origin: XmlElement): DataField[] {
  const { eventType = "", displayLabel = "" } = origin.attributes;
  const issued = spanText(modsChildren(origin, "dateIssued"));
  const created = spanText(modsChildren(origin, "dateCreated"));
  const stated = functions.get(eventType.toLowerCase()) ?? functions.get(displayLabel.toLowerCase());
  const indicator =
    stated ??
    (issued === undefined && created !== undefined && modsTexts(origin, "publisher").length === 0
      ? "0"
      : "1");
  const places = modsPath(origin, "place", "placeTerm").filter(
    ({ attributes }) => attributes.type !== "code",
  );
  return marcField(
    "264",
    ` ${indicator}`,
    ...repeated("a", textsOf(places)),
    ...repeated("b", modsTexts(origin, "publisher")),
    ["c", issued ?? created],
  );
}

function copyrightField(origin: XmlElement): DataField[] {
  const [date] = modsTexts(origin, "copyrightDate");
  return date === undefined ? [] : marcField("264", " 4", ["c", /^(?:©|c)/i.test(date) ? date : `©${date}`]);
}

/**
 * Returns the date that is meant for people or, if there is none, the encoded date. A span is written as `1860-1870`.
 */
function spanText(dates: readonly XmlElement[]): string | undefined {
  const [plain] = dates.filter(
    ({ attributes }) => attributes.encoding === undefined && attributes.point === undefined,
  );
  const start = dates.find(({ attributes }) => attributes.point === "start");
  const end = dates.find(({ attributes }) => attributes.point === "end");
  const single =
    plain ??
    (start === undefined ? dates.find(({ attributes }) => attributes.point === undefined) : undefined);
  if (single !== undefined) return questionable(single);
  if (start === undefined) return end?.text.trim();
  const [from, to] = [start.text.trim(), end?.text.trim() ?? ""];
  return to === from ? questionable(start) : `${questionable(start)}-${/^(?:9999|uuuu)$/.test(to) ? "" : to}`;
}

function questionable({ text, attributes }: XmlElement): string {
  return attributes.qualifier === "questionable" && !text.includes("?") ? `${text.trim()}?` : text.trim();
}

/** Builds 046 from the encoded dates that are not dates of publication. */
function codedDates(origin: XmlElement): DataField[] {
  const texts = (name: string, isEnd: boolean) =>
    textsOf(
      modsChildren(origin, name).filter(
        ({ attributes }) => attributes.encoding !== undefined && (attributes.point === "end") === isEnd,
      ),
    );
  return marcField(
    "046",
    "  ",
    ...repeated("j", texts("dateModified", false).slice(0, 1)),
    ...repeated("k", texts("dateCreated", false).slice(0, 1)),
    ...repeated("l", texts("dateCreated", true).slice(0, 1)),
    ...repeated("m", texts("dateValid", false).slice(0, 1)),
    ...repeated("n", texts("dateValid", true).slice(0, 1)),
  );
}

function isIso({ attributes }: XmlElement): boolean {
  return attributes.encoding === "iso8601" || attributes.encoding === "w3cdtf";
}

export function placeCodes(origin: XmlElement, authority: string): XmlElement[] {
  return modsPath(origin, "place", "placeTerm").filter(
    ({ attributes }) => attributes.type === "code" && attributes.authority === authority,
  );
}

/** Returns the years of publication or, if there are none, those of copyright or creation. */
export function modsYears(mods: XmlElement): PublicationYears | undefined {
  for (const name of ["dateIssued", "copyrightDate", "dateCreated"]) {
    const dates = modsPath(mods, "originInfo", name);
    const years = earliestYears(textsOf(dates));
    if (years === undefined) continue;
    const end = dates.find(({ attributes }) => attributes.point === "end");
    const last = parsePublicationYears(end?.text ?? "")?.first ?? years.last;
    const isUncertain =
      years.isUncertain || dates.some(({ attributes }) => attributes.qualifier === "questionable");
    return { first: years.first, ...(last !== undefined && last > years.first && { last }), isUncertain };
  }
  return undefined;
}
