import { fieldsOf, subfieldValuesIn } from "../../marc/fields.ts";
import type { DataField, MarcRecord } from "../../marc/record.ts";
import { fieldsMatching, joinSubfields, languagesOf, materialOf, subfieldOf } from "./marc-values.ts";
import { element } from "./mods-elements.ts";

/** A field whose subfields are the text of one element. */
interface TextRule {
  element: string;
  /** A pattern of tags. */
  tags: string;
  codes: string;
  attributes?: Readonly<Record<string, string>>;
  /** The attribute that names the vocabulary in subfield 2. */
  scheme?: "authority" | "type";
}

/** Fields with one element each. @see https://www.loc.gov/standards/mods/v3/mods-mapping.html */
const texts: readonly TextRule[] = [
  { element: "genre", tags: "655", codes: "a", scheme: "authority" },
  { element: "abstract", tags: "520", codes: "ab" },
  { element: "tableOfContents", tags: "505", codes: "agrt" },
  { element: "targetAudience", tags: "521", codes: "ab" },
  { element: "note", tags: "245", codes: "c", attributes: { type: "statement of responsibility" } },
  { element: "note", tags: "5(?!05|06|20|21|40|46)..", codes: "a" },
  { element: "classification", tags: "050", codes: "ab", attributes: { authority: "lcc" } },
  { element: "classification", tags: "080", codes: "a", attributes: { authority: "udc" } },
  { element: "classification", tags: "082", codes: "a", attributes: { authority: "ddc" } },
  { element: "classification", tags: "084", codes: "a", scheme: "authority" },
  { element: "identifier", tags: "020", codes: "a", attributes: { type: "isbn" } },
  { element: "identifier", tags: "022", codes: "a", attributes: { type: "issn" } },
  { element: "identifier", tags: "024", codes: "a", scheme: "type" },
  { element: "accessCondition", tags: "506", codes: "abcdu", attributes: { type: "restriction on access" } },
  { element: "accessCondition", tags: "540", codes: "abcdu", attributes: { type: "use and reproduction" } },
];

/** The types of titles. */
const titles: readonly (readonly [tags: string, type: string | undefined])[] = [
  ["245", undefined],
  ["210", "abbreviated"],
  ["242", "translated"],
  ["246|740", "alternative"],
  ["130|240", "uniform"],
];

/** The types of names, by their last two digits, and the subfields of the name. */
const names: readonly (readonly [
  tags: string,
  type: "personal" | "corporate" | "conference",
  codes: string,
])[] = [
  ["[17]00", "personal", "abq"],
  ["[17]10", "corporate", "ab"],
  ["[17]11", "conference", "ac"],
];

/** The elements of subject headings. */
const subjects: readonly (readonly [tags: string, name: string, codes: string])[] = [
  ["650|653", "topic", "abcd"],
  ["651", "geographic", "a"],
];

/** The elements of the subdivisions of subject headings, by the codes of their subfields. */
const subdivisions: Readonly<Record<string, string>> = {
  v: "genre",
  x: "topic",
  y: "temporal",
  z: "geographic",
};

/** The types of related items. */
const related: readonly (readonly [tags: string, type: string | undefined])[] = [
  ["773", "host"],
  ["490|830", "series"],
  ["780", "preceding"],
  ["785", "succeeding"],
  ["776", "otherFormat"],
  ["775", "otherVersion"],
  ["765", "original"],
  ["787", undefined],
];

/** The details of a part, by the names in subfield g of union catalogues, such as `number:2`. */
const details: Readonly<Record<string, string>> = { volume: "volume", number: "issue", issue: "issue" };

/**
 * Converts a record to MODS 3.7.
 * @returns the element `mods`
 * @see https://www.loc.gov/standards/mods/v3/mods-mapping.html
 */
export function marcToMods(record: MarcRecord): string {
  const each = (tags: string, build: (field: DataField) => string) => fieldsMatching(record, tags).map(build);
  const content = [
    ...titles.flatMap(([tags, type]) => each(tags, (field) => titleInfo(field, type))),
    ...names.flatMap(([tags, type, codes]) => each(tags, (field) => nameOf(field, type, codes))),
    ...each("720", (field) =>
      element("name", [element("namePart", subfieldOf(field, "a")), ...rolesOf(field)]),
    ),
    element("typeOfResource", materialOf(record)),
    originInfo(record),
    ...languagesOf(record).map((code) =>
      element("language", [element("languageTerm", code, { authority: "iso639-2b", type: "code" })]),
    ),
    physicalDescription(record),
    ...texts.flatMap((rule) => each(rule.tags, (field) => textElement(field, rule))),
    ...each("600|610|611|630", headingOf),
    ...subjects.flatMap(([tags, name, codes]) =>
      each(tags, (field) => subject(field, [element(name, joinSubfields(field, codes))])),
    ),
    ...related.flatMap(([tags, type]) => each(tags, (field) => relatedItem(field, type))),
    ...each("856", (field) =>
      element(
        "location",
        subfieldValuesIn(field, "u").map((url) => element("url", url.trim())),
      ),
    ),
    recordInfo(record),
  ];
  return `<mods xmlns="http://www.loc.gov/mods/v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3.7" xsi:schemaLocation="http://www.loc.gov/mods/v3 http://www.loc.gov/standards/mods/v3/mods-3-7.xsd">${content.join("")}</mods>`;
}

function textElement(field: DataField, { element: name, codes, attributes = {}, scheme }: TextRule): string {
  const vocabulary = scheme && { [scheme]: subfieldOf(field, "2") };
  return element(name, joinSubfields(field, codes), { ...attributes, ...vocabulary });
}

/** The titles whose second indicator counts the characters of an article at their beginning. */
const withNonFiling: ReadonlySet<string> = new Set(["245", "242", "240", "440", "830"]);

function titleInfo(field: DataField, type: string | undefined): string {
  const title = joinSubfields(field, field[0] === "245" ? "afgks" : "a");
  const skipped = withNonFiling.has(field[0]) ? Number(field[1].charAt(1)) || 0 : 0;
  const isSplit = skipped > 0 && skipped < title.length;
  return element(
    "titleInfo",
    [
      ...(isSplit ? [element("nonSort", title.slice(0, skipped).trim())] : []),
      element("title", isSplit ? title.slice(skipped) : title),
      element("subTitle", subfieldOf(field, "b")),
      element("partNumber", subfieldOf(field, "n")),
      element("partName", subfieldOf(field, "p")),
    ],
    { type },
  );
}

function nameOf(field: DataField, type: string, codes: string): string {
  const name = element("namePart", joinSubfields(field, codes));
  if (name === "") return "";
  return element(
    "name",
    [
      name,
      ...(type === "personal"
        ? [
            element("namePart", joinSubfields(field, "c"), { type: "termsOfAddress" }),
            element("namePart", subfieldOf(field, "d"), { type: "date" }),
          ]
        : []),
      ...rolesOf(field),
      element("affiliation", subfieldOf(field, "u")),
    ],
    { type, ...(field[0].startsWith("1") && { usage: "primary" }) },
  );
}

/** Subfield e (j for conferences) names a role, subfield 4 has its code. */
function rolesOf(field: DataField): string[] {
  const word = field[0].endsWith("11") ? "j" : "e";
  const terms = subfieldValuesIn(field, word).map((text) =>
    element("roleTerm", text.replace(/[\s.,]+$/, ""), { type: "text" }),
  );
  const codes = subfieldValuesIn(field, "4").map((code) =>
    element("roleTerm", code, { authority: "marcrelator", type: "code" }),
  );
  return [...terms, ...codes].map((term) => element("role", [term]));
}

function originInfo(record: MarcRecord): string {
  const published = fieldsMatching(record, "260|264");
  const level = record.leader.charAt(7);
  return element("originInfo", [
    ...published.flatMap((field) => [
      element("place", [element("placeTerm", subfieldOf(field, "a"), { type: "text" })]),
      element("publisher", subfieldOf(field, "b")),
      element("dateIssued", subfieldOf(field, "c")),
    ]),
    ...fieldsOf(record, "250").map((field) => element("edition", joinSubfields(field, "ab"))),
    element(
      "issuance",
      "bis".includes(level) ? "continuing" : "acdm".includes(level) ? "monographic" : undefined,
    ),
  ]);
}

function physicalDescription(record: MarcRecord): string {
  return element("physicalDescription", [
    ...fieldsOf(record, "300").map((field) => element("extent", joinSubfields(field, "abce"))),
    ...fieldsOf(record, "856").map((field) => element("internetMediaType", subfieldOf(field, "q"))),
  ]);
}

/** A subject heading that is a name or a title. */
function headingOf(field: DataField): string {
  const [tag] = field;
  if (tag === "630")
    return subject(field, [element("titleInfo", [element("title", joinSubfields(field, "anp"))])]);
  const [, type, codes] = names.find(([tags]) => new RegExp(tags).test(`1${tag.slice(1)}`)) ?? names[0] ?? [];
  return subject(field, [
    element("name", [element("namePart", joinSubfields(field, codes ?? "a"))], { type }),
  ]);
}

function subject(field: DataField, heading: string[]): string {
  const parts = field[2].flatMap(([code, value]) => {
    const name = subdivisions[code];
    return name === undefined ? [] : [element(name, value.trim())];
  });
  return element("subject", [...heading, ...parts], { authority: subfieldOf(field, "2") });
}

function relatedItem(field: DataField, type: string | undefined): string {
  const series = field[0] === "490" || field[0] === "830";
  return element(
    "relatedItem",
    [
      element("titleInfo", [
        element("title", subfieldOf(field, series ? "a" : "t")),
        ...(series ? [element("partNumber", subfieldOf(field, "v"))] : []),
      ]),
      ...(series ? [] : [element("name", [element("namePart", subfieldOf(field, "a"))])]),
      ...["x", "z", "w"].flatMap((code) =>
        subfieldValuesIn(field, code).map((value) =>
          element("identifier", value.trim(), { type: identifierTypes[code] }),
        ),
      ),
      partOf(subfieldValuesIn(field, "g")),
    ],
    { type },
  );
}

const identifierTypes: Readonly<Record<string, string>> = { x: "issn", z: "isbn", w: "local" };

/** @param statements the subfields g, such as `volume:29`, or texts such as `29 (2026) 2` */
function partOf(statements: readonly string[]): string {
  const stated = statements.map((text): [name: string, value: string] => {
    const [, name, value] = /^(\w+):(.*)$/s.exec(text.trim()) ?? [];
    return name === undefined || value === undefined ? ["text", text.trim()] : [name, value];
  });
  return element(
    "part",
    stated.map(([name, value]) => {
      const detail = details[name];
      if (detail !== undefined) return element("detail", [element("number", value)], { type: detail });
      if (name === "pages") return element("extent", [element("list", value)], { unit: "pages" });
      return name === "year" ? element("date", value) : element("text", value);
    }),
  );
}

function recordInfo(record: MarcRecord): string {
  const control = (tag: string) => record.control.find(([each]) => each === tag)?.[1].trim();
  return element("recordInfo", [
    ...fieldsOf(record, "040").map((field) => element("recordContentSource", subfieldOf(field, "a"))),
    element("recordChangeDate", control("005"), { encoding: "iso8601" }),
    element("recordIdentifier", control("001"), { source: control("003") || undefined }),
  ]);
}
