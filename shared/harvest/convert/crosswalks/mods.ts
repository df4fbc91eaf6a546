import type { DataField } from "../../../marc/record.ts";
import type { XmlElement } from "../../../xml/xml-tree.ts";
import { stripMarkup } from "../strip-markup.ts";
import type { CrosswalkResult } from "./described-resource.ts";
import { buildControlFields, buildLeader, buildTypeFields } from "./fixed-fields.ts";
import { type DocumentIdentifier, identifierFields, identifierUrls, readIdentifier } from "./identifiers.ts";
import { marcField, repeated, withoutRepetitions } from "./marc-fields.ts";
import { languageCode, modsFixedData, modsLanguages } from "./mods-fixed-data.ts";
import { isModsCreator, modsNames } from "./mods-names.ts";
import { modsOriginFields } from "./mods-origin.ts";
import { modsRelatedFields } from "./mods-related.ts";
import { modsSubjectFields } from "./mods-subjects.ts";
import { mainTitle, modsTitleFields, titleText } from "./mods-titles.ts";
import { authorityOf, linkOf, modsChildren, modsPath, modsTexts, textsOf } from "./mods-values.ts";
import { nameFields } from "./names.ts";

/**
 * Describes a resource by MODS 3. `docs/crosswalks.md` explains the differences from the crosswalk of the Library of
 * Congress.
 * @see https://www.loc.gov/standards/mods/mods2marc-mapping.html MODS to MARC mapping
 * @see https://www.loc.gov/standards/mods/v3/MODS3-5_MARC21slim_XSLT2-0.xsl
 */
export function describeMods(mods: XmlElement): CrosswalkResult {
  const identifiers = modsChildren(mods, "identifier")
    .filter(({ text, attributes }) => text.trim() !== "" && attributes.invalid !== "yes")
    .map(({ text, attributes }) => readIdentifier(text, attributes.type));
  const links = linkFields(mods, identifiers);
  const urls = links.map(([, , [first]]) => first?.[1] ?? "");
  const fixed = modsFixedData(mods, urls.length > 0);
  const names = nameFields(modsNames(mods), isModsCreator);
  const doi = identifiers.find(({ type }) => type === "doi")?.value;
  const title = mainTitle(mods);
  return {
    type: "described",
    resource: {
      leader: buildLeader(fixed),
      control: buildControlFields(fixed),
      fields: withoutRepetitions([
        ...codeFields(mods, identifiers),
        ...names,
        ...modsTitleFields(
          mods,
          names.some(([tag]) => tag.startsWith("1")),
        ),
        ...modsOriginFields(mods),
        ...formFields(mods, fixed),
        ...noteFields(mods),
        ...modsSubjectFields(mods),
        ...genreFields(mods),
        ...modsRelatedFields(mods),
        ...holdingFields(mods),
        ...links,
      ]),
      title: title === undefined ? "" : titleText(title),
      ...(doi !== undefined && { doi }),
      ...(fixed.years && { date: fixed.years.first }),
      ...(urls[0] !== undefined && { url: urls[0] }),
      warnings: [],
    },
  };
}

/** Builds the fields 010 to 084. */
function codeFields(mods: XmlElement, identifiers: DocumentIdentifier[]): DataField[] {
  const invalid = modsChildren(mods, "identifier").filter(({ attributes }) => attributes.invalid === "yes");
  const ofType = (type: string) =>
    textsOf(
      modsChildren(mods, "identifier").filter(
        ({ attributes }) => attributes.type === type && attributes.invalid !== "yes",
      ),
    );
  const classifications = modsChildren(mods, "classification");
  const byAuthority = (authority: string) =>
    classifications.filter(({ attributes }) => attributes.authority === authority);
  const lccn = ofType("lccn");
  return [
    ...lccn.slice(0, 1).flatMap((text) => marcField("010", "  ", ["a", text])),
    ...identifiers.filter(({ value }) => !lccn.includes(value)).flatMap(identifierFields),
    ...identifiers.flatMap(({ type, value }) =>
      type === "issn" ? marcField("022", "  ", ["a", value]) : [],
    ),
    ...invalid.flatMap(({ text, attributes: { type } }) => {
      const tag = { isbn: "020", issn: "022" }[type ?? ""];
      return tag === undefined ? [] : marcField(tag, "  ", ["z", text]);
    }),
    ...textsOf(modsPath(mods, "recordInfo", "recordIdentifier")).flatMap((text) =>
      marcField("035", "  ", ["a", text]),
    ),
    ...modsLanguages(mods).flatMap((code) => marcField("041", "  ", ["a", code])),
    ...partLanguages(mods),
    ...marcField("050", " 4", ...repeated("a", textsOf(byAuthority("lcc")))),
    ...textsOf(byAuthority("nlm")).flatMap((text) => marcField("060", " 4", ["a", text])),
    ...textsOf(byAuthority("udc")).flatMap((text) => marcField("080", "  ", ["a", text])),
    ...byAuthority("ddc").flatMap(({ text, attributes }) =>
      marcField("082", "04", ["a", text], ["2", attributes.edition]),
    ),
    ...classifications
      .filter(({ attributes }) => !["lcc", "nlm", "udc", "ddc"].includes(attributes.authority ?? ""))
      .flatMap(({ text, attributes }) => marcField("084", "  ", ["a", text], ["2", attributes.authority])),
  ];
}

/**
 * The subfields of 041 for parts of a resource that have separate languages.
 * @see https://www.loc.gov/marc/bibliographic/bd041.html
 */
const languageParts: readonly (readonly [part: RegExp, code: string])[] = [
  [/summary|abstract/, "b"],
  [/sung or spoken/, "d"],
  [/libretto/, "e"],
  [/table of contents/, "f"],
  [/accompanying/, "g"],
  [/translation/, "h"],
  [/subtitle|caption/, "j"],
];

function partLanguages(mods: XmlElement): DataField[] {
  return modsChildren(mods, "language").flatMap((language) => {
    const { objectPart } = language.attributes;
    if (objectPart === undefined) return [];
    const code = languageParts.find(([part]) => part.test(objectPart))?.[1] ?? "a";
    return modsTexts(language, "languageTerm").flatMap((text) =>
      marcField("041", "  ", [code, languageCode(text)]),
    );
  });
}

/**
 * Builds 300 and 336 to 340 from the data of the document, and from the content and carrier that follow from its type.
 */
function formFields(mods: XmlElement, fixed: Parameters<typeof buildTypeFields>[0]): DataField[] {
  const descriptions = modsChildren(mods, "physicalDescription");
  const forms = descriptions.flatMap((each) => modsChildren(each, "form"));
  const stated = forms.flatMap(({ text, attributes: { type = "", authority } }) => {
    const tag = { media: "337", carrier: "338", material: "340", technique: "340" }[type];
    return tag === undefined
      ? []
      : marcField(tag, "  ", [type === "technique" ? "d" : "a", text], ["2", authority]);
  });
  const content = modsChildren(mods, "genre").filter(
    ({ attributes }) => attributes.authority === "rdacontent",
  );
  const contentFields = content.flatMap(({ text }) =>
    marcField("336", "  ", ["a", text], ["2", "rdacontent"]),
  );
  const given = [...contentFields, ...stated];
  return [
    ...textsOf(descriptions.flatMap((each) => modsChildren(each, "extent"))).flatMap((text) =>
      marcField("300", "  ", ["a", text]),
    ),
    ...given,
    ...buildTypeFields(fixed).filter(([tag]) => given.every(([other]) => other !== tag)),
  ];
}

/** The first indicators of 520 by the label of an abstract. */
const abstractLabels: Readonly<Record<string, string>> = {
  Subject: "0",
  Review: "1",
  "Scope and content": "2",
  Abstract: "3",
  "Content advice": "4",
};

const noteTags: Readonly<Record<string, string>> = {
  performers: "511",
  venue: "518",
  thesis: "502",
  bibliography: "504",
  funding: "536",
  ownership: "561",
  "preferred citation": "524",
  language: "546",
  "system details": "538",
  exhibitions: "585",
};

function noteFields(mods: XmlElement): DataField[] {
  const notes = [...modsChildren(mods, "note"), ...modsPath(mods, "physicalDescription", "note")];
  return [
    ...notes
      .filter(({ attributes }) => attributes.type !== "statement of responsibility")
      .flatMap(({ text, attributes: { type = "" } }) =>
        marcField(noteTags[type] ?? "500", "  ", ["a", text]),
      ),
    ...modsChildren(mods, "tableOfContents").flatMap((toc) =>
      marcField(
        "505",
        `${{ "Incomplete contents": "1", "Partial contents": "2" }[toc.attributes.displayLabel ?? ""] ?? "0"} `,
        ["a", toc.text],
        ["u", linkOf(toc)],
      ),
    ),
    ...modsChildren(mods, "accessCondition").flatMap((condition) => {
      const isRestriction = /restriction/i.test(condition.attributes.type ?? "");
      return marcField(isRestriction ? "506" : "540", "  ", ["a", condition.text], ["u", linkOf(condition)]);
    }),
    ...modsChildren(mods, "abstract").flatMap((abstract) =>
      marcField(
        "520",
        `${abstractLabels[abstract.attributes.displayLabel ?? ""] ?? " "} `,
        ["a", stripMarkup(abstract.text)],
        ["u", linkOf(abstract)],
      ),
    ),
    ...modsChildren(mods, "targetAudience")
      .filter(({ attributes }) => attributes.authority !== "marctarget")
      .flatMap(({ text }) => marcField("521", "  ", ["a", text])),
  ];
}

/** Builds 655 from the genres that 336 does not contain. */
function genreFields(mods: XmlElement): DataField[] {
  return modsChildren(mods, "genre")
    .filter(({ attributes }) => attributes.authority !== "rdacontent")
    .flatMap((genre) => {
      const { indicator, code } = authorityOf(genre);
      return marcField(
        "655",
        ` ${indicator === "4" ? "4" : "7"}`,
        ["a", genre.text],
        ["2", indicator === "4" ? undefined : (code ?? genre.attributes.authority)],
      );
    });
}

/** Builds 852 of other institutions. */
function holdingFields(mods: XmlElement): DataField[] {
  return modsChildren(mods, "location").flatMap((location) => {
    const [callNumber] = modsTexts(location, "shelfLocator");
    return modsChildren(location, "physicalLocation").flatMap(({ text, attributes }) =>
      attributes.type === "container"
        ? []
        : marcField("852", "  ", ["a", text], ["j", callNumber], ["3", attributes.displayLabel]),
    );
  });
}

/** Builds 856. The page of the resource comes first, followed by other addresses; previews are left out. */
function linkFields(mods: XmlElement, identifiers: DocumentIdentifier[]): DataField[] {
  const located = modsPath(mods, "location", "url").filter(
    ({ attributes }) => attributes.access !== "preview",
  );
  const rank = ({ attributes }: XmlElement) =>
    attributes.usage !== undefined ? 0 : attributes.access === "object in context" ? 1 : 2;
  const [mediaType] = textsOf(modsPath(mods, "physicalDescription", "internetMediaType"));
  const fields = [...located]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(({ text, attributes: { displayLabel, dateLastAccessed } }) =>
      marcField(
        "856",
        "40",
        ["u", text],
        ["3", displayLabel],
        ["z", dateLastAccessed && `Last accessed: ${dateLastAccessed}`],
      ),
    );
  const known = new Set(fields.map(([, , [first]]) => first?.[1]));
  const others = identifierUrls(identifiers).filter((url) => !known.has(url));
  return [...fields, ...others.flatMap((url) => marcField("856", "40", ["u", url], ["q", mediaType]))];
}
