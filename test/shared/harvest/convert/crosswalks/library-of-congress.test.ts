import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collapseSpace } from "../../../../../shared/formats/plain-text.ts";
import type { MarcRecord } from "../../../../../shared/marc/record.ts";
import { childrenInOrder, parseXmlTree, type XmlElement } from "../../../../../shared/xml/xml-tree.ts";
import { corpusFolder } from "../../../../corpus.ts";
import { convert } from "./crosswalk-cases.ts";

const instance = "http://www.w3.org/2001/XMLSchema-instance";
const corpus = join(corpusFolder, "oai");

/** The documents of all pages whose XML is well-formed. */
function documents(element: RegExp): { place: string; raw: string; root: XmlElement }[] {
  return globSync("*.xml", { cwd: corpus })
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(corpus, file), "utf8");
      return [...text.matchAll(element)].flatMap(([cut], at) => {
        // What the page declares around the document.
        const raw = /^[^>]*xmlns:xsi=/.test(cut) ? cut : cut.replace(/(?=[\s>])/, ` xmlns:xsi="${instance}"`);
        const tree = parseXmlTree(raw, { url: "https://corpus.invalid/", lenient: false });
        return tree.type === "tree" ? [{ place: `${file} ${at + 1}`, raw, root: tree.root }] : [];
      });
    });
}

/** A subfield that the Library of Congress's stylesheet writes. */
type Expected = readonly [tag: string, code: string, value: string];

/**
 * What DC2MARC21slim.xsl writes of each element, whatever its value. Its output by libxslt is the same for all records of the
 * corpus (2026-11-22).
 * @see https://www.loc.gov/standards/marcxml/xslt/DC2MARC21slim.xsl
 */
const dublinCoreRules: Readonly<Record<string, readonly [tag: string, code: string]>> = {
  contributor: ["720", "a"],
  coverage: ["500", "a"],
  creator: ["720", "a"],
  date: ["260", "c"],
  description: ["520", "a"],
  format: ["856", "q"],
  identifier: ["024", "a"],
  language: ["546", "a"],
  publisher: ["260", "b"],
  relation: ["787", "n"],
  rights: ["540", "a"],
  source: ["786", "n"],
  subject: ["653", "a"],
  title: ["245", "a"],
  type: ["655", "a"],
};

function expectedOfDublinCore(root: XmlElement): Expected[] {
  let titles = 0;
  return childrenInOrder(root).flatMap(({ name, text }): Expected[] => {
    const element = name.replace("dc:", "");
    const rule = dublinCoreRules[element];
    const value = collapseSpace(text);
    if (rule === undefined || value === "") return [];
    if (element === "title") titles += 1;
    return [[element === "title" && titles > 1 ? "246" : rule[0], rule[1], value]];
  });
}

/** What MODS3-5_MARC21slim_XSLT2-0.xsl writes of the elements that the corpus has. */
const modsRules: readonly (readonly [path: string, tag: string, code: string])[] = [
  ["titleInfo/title", "245", "a"],
  ["name/namePart", "720", "a"],
  ["physicalDescription/extent", "300", "a"],
  ["physicalDescription/note", "500", "a"],
  ["note", "500", "a"],
  ["abstract", "520", "a"],
  ["accessCondition", "540", "a"],
  ["identifier", "024", "a"],
  ["location/url", "856", "u"],
  ["location/physicalLocation", "852", "a"],
  ["genre", "655", "a"],
  ["originInfo/publisher", "260", "b"],
  ["originInfo/dateIssued", "260", "c"],
  ["originInfo/dateCreated", "260", "g"],
  ["subject/topic", "650", "a"],
  ["subject/geographic", "651", "a"],
  ["recordInfo/recordIdentifier", "001", ""],
  ["relatedItem/titleInfo/title", "773", "t"],
];

function expectedOfMods(root: XmlElement): Expected[] {
  return modsRules.flatMap(([path, tag, code]) => {
    const found = path
      .split("/")
      .reduce<XmlElement[]>(
        (elements, name) => elements.flatMap((each) => each.children?.get(`mods:${name}`) ?? []),
        [root],
      );
    return found
      .filter(({ attributes }) => attributes.access !== "preview" && attributes.type !== "container")
      .map(({ text }): Expected => [tag, code, collapseSpace(text)])
      .filter(([, , value]) => value !== "");
  });
}

const words = (text: string) => (text.toLowerCase().match(/[\p{L}\p{M}\d]+/gu) ?? []).sort().join(" ");

/** Where we write the value of a field elsewhere, as `docs/crosswalks.md` says; the reason why it is found there. */
function differenceOf([tag, , value]: Expected, record: MarcRecord): string | undefined {
  const texts = (pattern: RegExp, codes: string) =>
    record.fields
      .filter(([each]) => pattern.test(each))
      .flatMap(([, , subfields]) =>
        subfields.filter(([code]) => codes.includes(code)).map(([, text]) => text),
      );
  const control = (name: string) => record.control.find(([each]) => each === name)?.[1] ?? "";
  const isIn = (pattern: RegExp, codes: string) =>
    texts(pattern, codes).some((text) => text.includes(value) || value.includes(text));
  if (tag === "720") {
    const names = texts(/^[17][012]0$/, "au").map(words);
    const parts = value.split(";").map(words).filter(Boolean);
    return parts.every((part) => names.includes(part)) ? "names have 1XX and 7XX" : undefined;
  }
  if (tag === "260") {
    if (isIn(/^264$/, "bc")) return "264 instead of 260";
    if (/^\d{4}/.test(value) && control("008").slice(7, 11) <= value.slice(0, 4))
      return "the earliest date alone";
    return undefined;
  }
  if (tag === "024" && texts(/^020$/, "a").includes(value.replaceAll("-", "")))
    return "identifiers by their kind";
  if (tag === "024")
    return isIn(/^(?:020|022|024|524|773|856)$/, "axu") ? "identifiers by their kind" : undefined;
  if (tag === "546") return texts(/^041$/, "a").length > 0 ? "language codes" : undefined;
  if (tag === "856") return isIn(/^300$/, "a") ? "an extent is not a media type" : undefined;
  if (tag === "653") {
    const subjects = texts(/^65[03]$/, "a");
    return value
      .split(/\s*;\s*/)
      .filter(Boolean)
      .every((part) => subjects.includes(part))
      ? "a subject per field"
      : undefined;
  }
  if (tag === "786") return isIn(/^773$/, "tgx") ? "the host has 773" : undefined;
  if (tag === "001") return isIn(/^035$/, "a") ? "its number in 035" : undefined;
  if (tag === "540") return isIn(/^540$/, "u") ? "an address of terms in $u" : undefined;
  if (tag === "500") return isIn(/^(?:524|536|561)$/, "a") ? "notes by their kind" : undefined;
  if (tag === "773") return isIn(/^(?:490|776|787|534)$/, "at") ? "related items by their kind" : undefined;
  return undefined;
}

function compare(raw: string, expected: Expected[]): { same: number; reasons: string[]; missing: string[] } {
  const conversion = convert(raw);
  if (conversion.type !== "converted") return { same: 0, reasons: [], missing: [conversion.reason] };
  const { record } = conversion;
  const found = new Set(
    record.fields.flatMap(([tag, , subfields]) => subfields.map(([code, value]) => `${tag}$${code}${value}`)),
  );
  const others = expected.filter(([tag, code, value]) => !found.has(`${tag}$${code}${value}`));
  const reasons = others.map((each) => differenceOf(each, record));
  return {
    same: expected.length - others.length,
    reasons: reasons.filter((reason) => reason !== undefined),
    missing: others.filter((_, at) => reasons[at] === undefined).map((each) => each.join(" ")),
  };
}

describe.skipIf(!existsSync(corpus))("beside the Library of Congress, field by field", () => {
  it.each([
    ["oai_dc", /<oai_dc:dc[\s>][\s\S]*?<\/oai_dc:dc>/g, expectedOfDublinCore, 138],
    ["mods", /<(mods:)?mods[\s>][\s\S]*?<\/\1?mods>/g, expectedOfMods, 11],
  ])(
    "%s → every value of real records is where it has it, or where the documentation says",
    (_format, element, rules, atLeast) => {
      const compared = documents(element)
        .filter(({ root }) => rules(root).some(([tag]) => tag === "245"))
        .map(({ place, raw, root }) => ({ place, ...compare(raw, rules(root)) }));
      expect(compared.length).toBeGreaterThanOrEqual(atLeast);
      expect(compared.filter(({ missing }) => missing.length > 0)).toEqual([]);
      expect(compared.reduce((sum, { same }) => sum + same, 0)).toBeGreaterThan(atLeast);
    },
  );
});
