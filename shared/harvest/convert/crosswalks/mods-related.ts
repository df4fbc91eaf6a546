import type { DataField } from "../../../marc/record.ts";
import { childrenInOrder, type XmlElement } from "../../../xml/xml-tree.ts";
import { marcField, repeated } from "./marc-fields.ts";
import { modsNames } from "./mods-names.ts";
import { mainTitle, titleSubfields, titleText } from "./mods-titles.ts";
import { modsChildren, modsPath, modsTexts, textsOf } from "./mods-values.ts";

/**
 * The tag and indicators of a linking entry by the type of the related item.
 * @see https://www.loc.gov/marc/bibliographic/bd76x78x.html
 */
const linkingEntries: ReadonlyMap<string, readonly [tag: string, indicators: string]> = new Map([
  ["preceding", ["780", "00"]],
  ["succeeding", ["785", "00"]],
  ["otherVersion", ["775", "0 "]],
  ["otherFormat", ["776", "0 "]],
  ["host", ["773", "0 "]],
  ["constituent", ["774", "0 "]],
  ["original", ["534", "  "]],
  ["", ["787", "0 "]],
]);

/** Builds 490, 510, 534, 773 to 787, and 856 42 for related items that consist only of an address. */
export function modsRelatedFields(mods: XmlElement): DataField[] {
  return modsChildren(mods, "relatedItem").flatMap((item) => {
    const { type = "" } = item.attributes;
    if (type === "series") return seriesFields(item);
    if (type === "isReferencedBy")
      return marcField("510", "0 ", ["a", textsOf(childrenInOrder(item)).join(", ")]);
    const [url] = textsOf(modsPath(item, "location", "url"));
    const entry = linkingEntries.get(type) ?? (["787", "0 "] as const);
    if (mainTitle(item) !== undefined || type === "host") return linkingField(item, entry, url);
    return url === undefined
      ? []
      : marcField("856", "42", ["u", url], ["3", item.attributes.displayLabel ?? item.attributes.otherType]);
  });
}

function linkingField(
  item: XmlElement,
  [tag, indicators]: readonly [string, string],
  url: string | undefined,
): DataField[] {
  const info = mainTitle(item);
  const { displayLabel } = item.attributes;
  const typed = (type: string) =>
    textsOf(modsChildren(item, "identifier").filter(({ attributes }) => attributes.type === type));
  const others = modsChildren(item, "identifier").filter(
    ({ attributes }) => !["issn", "isbn", "uri"].includes(attributes.type ?? ""),
  );
  const [name] = modsNames(item);
  const [publisher] = modsPath(item, "originInfo", "publisher");
  const [date] = modsPath(item, "originInfo", "dateIssued");
  const published = [publisher?.text, date?.text].filter(Boolean).join(", ");
  if (tag === "534") {
    return marcField(
      "534",
      "  ",
      ["p", displayLabel ?? "Original"],
      ["a", name?.name],
      ["t", info && titleText(info)],
      ["c", published],
      ["e", modsTextsOfExtent(item)[0]],
    );
  }
  return marcField(
    tag,
    indicators,
    ["i", displayLabel],
    ["a", name?.name],
    ["t", info && titleText(info)],
    ["d", published],
    ["g", partText(item)],
    ["h", modsTextsOfExtent(item)[0]],
    ["q", partCode(item)],
    ...repeated("n", modsTexts(item, "note")),
    ...repeated("o", [...textsOf(others), ...(url === undefined ? [] : [url])]),
    ...repeated("w", textsOf(modsPath(item, "recordInfo", "recordIdentifier"))),
    ...repeated("x", typed("issn").slice(0, 1)),
    ...repeated("z", typed("isbn")),
  );
}

function modsTextsOfExtent(item: XmlElement): string[] {
  return textsOf(modsPath(item, "physicalDescription", "extent"));
}

/** Returns the part as `Vol. 3, no. 2 (2013), p. 9-19`, or the text of the part. */
function partText(item: XmlElement): string | undefined {
  const parts = modsChildren(item, "part");
  const [text] = textsOf(parts.flatMap((part) => modsChildren(part, "text")));
  if (text !== undefined) return text;
  const detail = (type: string) =>
    textsOf(
      parts
        .flatMap((part) => modsChildren(part, "detail"))
        .filter(({ attributes }) => attributes.type === type)
        .flatMap((each) => modsChildren(each, "number")),
    )[0];
  const [volume, issue] = [detail("volume"), detail("issue")];
  const [date] = textsOf(parts.flatMap((part) => modsChildren(part, "date")));
  const numbering = [
    volume && `volume:${volume}`,
    date && `year:${date}`,
    issue && `number:${issue}`,
    pagesOf(parts),
  ];
  return numbering.filter(Boolean).join(", ") || undefined;
}

function pagesOf(parts: readonly XmlElement[]): string | undefined {
  const [extent] = parts.flatMap((part) => modsChildren(part, "extent"));
  if (extent === undefined) return undefined;
  const [start] = modsTexts(extent, "start");
  const [end] = modsTexts(extent, "end");
  const pages = modsTexts(extent, "list")[0] ?? [start, end].filter(Boolean).join("-");
  return pages === "" ? undefined : `pages:${pages}`;
}

/** Returns $q in the form of a SICI: `1:2<9`. */
function partCode(item: XmlElement): string | undefined {
  const numbers = textsOf(modsPath(item, "part", "detail", "number"));
  const [start] = textsOf(modsPath(item, "part", "extent", "start"));
  if (numbers.length === 0) return undefined;
  return start === undefined ? numbers.join(":") : `${numbers.join(":")}<${start}`;
}

/** Builds 490 without tracing, because MARC 21 no longer has 440. */
function seriesFields(item: XmlElement): DataField[] {
  const [issn] = textsOf(
    modsChildren(item, "identifier").filter(({ attributes }) => attributes.type === "issn"),
  );
  return modsChildren(item, "titleInfo").flatMap((info) => {
    const [a, ...rest] = titleSubfields(info);
    const numbers = rest.filter(([code]) => code === "n").map(([, value]) => value);
    return a === undefined ? [] : marcField("490", "0 ", a, ["v", numbers.join(", ")], ["x", issn]);
  });
}
