import { marcLanguage } from "../../../marc/language-codes.ts";
import { languageByName } from "../../../marc/language-names.ts";
import type { XmlElement } from "../../../xml/xml-tree.ts";
import type { FixedData } from "./fixed-fields.ts";
import { modsYears, placeCodes } from "./mods-origin.ts";
import { modsChildren, modsPath, modsTexts, textsOf } from "./mods-values.ts";

/** The values of leader/06 by typeOfResource, for other resources and for manuscripts. */
const recordTypes: ReadonlyMap<string, readonly [type: string, manuscript?: string]> = new Map([
  ["text", ["a", "t"]],
  ["cartographic", ["e", "f"]],
  ["notated music", ["c", "d"]],
  ["sound recording-nonmusical", ["i"]],
  ["sound recording-musical", ["j"]],
  ["sound recording", ["j"]],
  ["still image", ["k"]],
  ["moving image", ["g"]],
  ["three dimensional object", ["r"]],
  ["software, multimedia", ["m"]],
  ["mixed material", ["p"]],
]);

/** The values of leader/07 by issuance. */
const levels: ReadonlyMap<string, string> = new Map([
  ["monographic", "m"],
  ["single unit", "m"],
  ["multipart monograph", "m"],
  ["continuing", "s"],
  ["serial", "s"],
  ["integrating resource", "i"],
]);

/** The values of 008/22 by the targetAudience of the authority marctarget. */
const audiences: ReadonlyMap<string, string> = new Map([
  ["adolescent", "d"],
  ["adult", "e"],
  ["general", "g"],
  ["juvenile", "j"],
  ["preschool", "a"],
  ["specialized", "f"],
]);

/** The form of item by the form of the authority marcform. */
const forms: ReadonlyMap<string, string> = new Map([
  ["braille", "f"],
  ["electronic", "s"],
  ["microfiche", "b"],
  ["microfilm", "a"],
]);

/** The nature of contents of a book (008/24-27) by the genre of the authority marcgt. */
const contents: ReadonlyMap<string, string> = new Map(
  (
    "abstract or summary:a,bibliography:b,catalog:c,comic or graphic novel:6,dictionary:d,directory:r,discography:k," +
    "encyclopedia:e,filmography:q,handbook:f,index:i,law report or digest:w,legal article:g,legal case and case notes:v," +
    "legislation:l,offprint:2,patent:j,programmed text:p,review:o,standard or specification:u,statistics:s," +
    "survey of literature:n,technical report:t,theses:m,thesis:m,treaty:z,yearbook:y"
  )
    .split(",")
    .map((pair) => pair.split(":") as [string, string]),
);

/** The literary form of a book (008/33) by the genre of the authority marcgt. */
const literaryForms: ReadonlyMap<string, string> = new Map(
  "comic strip:c,fiction:1,essay:e,drama:d,humor, satire:h,letter:i,novel:f,poetry:p,short story:j,speech:s"
    .split(/,(?! )/)
    .map((pair) => pair.split(":") as [string, string]),
);

/**
 * Returns the data of a MODS document for the fixed fields.
 * @param hasUrl whether the document contains a page of the resource
 */
export function modsFixedData(mods: XmlElement, hasUrl: boolean): FixedData {
  const [kind] = modsChildren(mods, "typeOfResource");
  const [type = "a", manuscript = type] = recordTypes.get(kind?.text.trim().toLowerCase() ?? "") ?? [];
  const recordType = kind?.attributes.manuscript === "yes" ? manuscript : type;
  const issuance = modsPath(mods, "originInfo", "issuance").map(({ text }) =>
    levels.get(text.trim().toLowerCase()),
  );
  const level =
    issuance.find((found) => found !== undefined) ??
    (kind?.attributes.collection === "yes" ? "c" : impliedLevel(mods));
  const form = modsPath(mods, "physicalDescription", "form")
    .map(({ text }) => forms.get(text.trim().toLowerCase()))
    .find(Boolean);
  const [country] = textsOf(
    modsPath(mods, "originInfo").flatMap((origin) => placeCodes(origin, "marccountry")),
  );
  const entered = modsPath(mods, "recordInfo", "recordCreationDate").find(
    ({ attributes, text }) => attributes.encoding === "marc" && /^\d{6}$/.test(text.trim()),
  );
  const [language] = modsLanguages(mods);
  return {
    recordType,
    level,
    encoding: "uu",
    isOnline: hasUrl || form === "s",
    years: modsYears(mods),
    ...(entered && { entered: entered.text.trim() }),
    ...(level === "s" && { dateType: serialDateType(mods) }),
    ...(country !== undefined && /^[a-z]{2,3}$/.test(country) && { country }),
    ...(language !== undefined && { language }),
    details: details(mods, recordType, form),
  };
}

/** Returns the MARC codes of the languages of the resource itself, each once. `und` and `zxx` are also codes. */
export function modsLanguages(mods: XmlElement): string[] {
  const terms = modsChildren(mods, "language")
    .filter(({ attributes }) => attributes.objectPart === undefined)
    .flatMap((language) => {
      const all = modsChildren(language, "languageTerm");
      const coded = all.filter(({ attributes }) => attributes.type !== "text");
      return coded.length > 0 ? coded : all;
    });
  return [...new Set(terms.flatMap(({ text }) => languageCode(text) ?? []))];
}

export function languageCode(text: string): string | undefined {
  const code = text
    .trim()
    .toLowerCase()
    .replace(/[-_].*$/s, "");
  return /^(?:und|mul|zxx|mis)$/.test(code) ? code : (marcLanguage(code) ?? languageByName(text));
}

/**
 * Returns the level when the document does not contain it. If a host is named, it is b for an article of a serial and a
 * for a part of a book; otherwise m.
 */
function impliedLevel(mods: XmlElement): string {
  const host = modsChildren(mods, "relatedItem").find(({ attributes }) => attributes.type === "host");
  const genres = modsTexts(mods, "genre").join(" ").toLowerCase();
  if (host === undefined) return "m";
  if (/\barticle\b|\breview\b/.test(genres) || hasIdentifier(host, "issn")) return "b";
  return /\bchapter\b|\bbook part\b/.test(genres) || hasIdentifier(host, "isbn") ? "a" : "m";
}

function hasIdentifier(item: XmlElement, type: string): boolean {
  return modsChildren(item, "identifier").some(({ attributes }) => attributes.type === type);
}

function serialDateType(mods: XmlElement): string {
  const end = modsPath(mods, "originInfo", "dateIssued").find(({ attributes }) => attributes.point === "end");
  if (end === undefined || end.text.trim() === "uuuu") return "u";
  return end.text.trim() === "9999" ? "c" : "d";
}

function details(mods: XmlElement, recordType: string, form: string | undefined): Record<number, string> {
  const genres = modsChildren(mods, "genre")
    .filter(({ attributes }) => /^marc(?:gt)?$/.test(attributes.authority ?? ""))
    .map(({ text }) => text.trim().toLowerCase());
  const audience = modsChildren(mods, "targetAudience")
    .map(({ text }) => audiences.get(text.trim().toLowerCase()))
    .find(Boolean);
  const isBook = recordType === "a" || recordType === "t";
  // For maps and visual materials, the form of item is at another position.
  const formAt = "efgkr".includes(recordType) ? 29 : 23;
  const nature = isBook ? genres.flatMap((genre) => contents.get(genre) ?? []).slice(0, 4) : [];
  const literary = isBook ? genres.map((genre) => literaryForms.get(genre)).find(Boolean) : undefined;
  return {
    ...(audience && { 22: audience }),
    ...(form && { [formAt]: form }),
    ...Object.fromEntries(nature.map((code, at) => [24 + at, code])),
    ...(literary && { 33: literary }),
  };
}
