import type { OaiRecord } from "../../formats/oai/page.ts";
import type { MetadataWish } from "../../formats/oai/page-reader.ts";
import { readMarcXmlRecord } from "../../marc/marcxml-record.ts";
import type { MarcRecord } from "../../marc/record.ts";

/** What a record should say. */
export const ratedFields = [
  "title",
  "creator",
  "date",
  "identifier",
  "url",
  "language",
  "type",
  "rights",
] as const;
type RatedField = (typeof ratedFields)[number];

/** How many records were rated, and how many of them have each field. */
export type Rating = { records: number } & Record<RatedField, number>;

export const noRating: Rating = {
  records: 0,
  ...{ title: 0, creator: 0, date: 0, identifier: 0, url: 0, language: 0, type: 0, rights: 0 },
};

/** Local names of elements, of Dublin Core and MODS. @see https://www.dublincore.org/specifications/dublin-core/dces/ */
const fieldOfElement: Readonly<Record<string, RatedField>> = {
  ...{ title: "title", creator: "creator", contributor: "creator", namePart: "creator" },
  ...{ date: "date", issued: "date", created: "date", dateIssued: "date", dateCreated: "date" },
  ...{ identifier: "identifier", url: "identifier", language: "language", languageTerm: "language" },
  ...{ type: "type", typeOfResource: "type", genre: "type" },
  ...{ rights: "rights", license: "rights", accessRights: "rights", accessCondition: "rights" },
};

/** MARC fields. @see https://www.loc.gov/marc/bibliographic/ */
const tagsOfField: Readonly<Record<RatedField, readonly string[]>> = {
  title: ["245"],
  creator: ["100", "110", "111", "700", "710", "711", "720"],
  date: ["008", "260", "264"],
  identifier: ["020", "022", "024", "856"],
  url: ["856"],
  language: ["008", "041"],
  type: ["006", "007", "336", "655"],
  rights: ["506", "540"],
};

/** What the rating needs of each record. */
export const ratedWish: MetadataWish = {
  asXml: true,
  values: ({ local }) => Object.hasOwn(fieldOfElement, local),
};

/** The rating with the records of a page; deleted ones and those without metadata say nothing. */
export function rateRecords(before: Rating, records: readonly OaiRecord[]): Rating {
  const rating = { ...before };
  for (const record of records) {
    if (record.isDeleted || record.metadata === undefined) continue;
    rating.records += 1;
    for (const field of fieldsOf(record)) rating[field] += 1;
  }
  return rating;
}

/** The mean share of the fields. */
export function meanShare(rating: Rating): number {
  if (rating.records === 0) return 0;
  const shares = ratedFields.map((field) => rating[field] / rating.records);
  return shares.reduce((sum, share) => sum + share, 0) / ratedFields.length;
}

function fieldsOf({ metadata = "", values }: OaiRecord): Set<RatedField> {
  const marc = readMarcXmlRecord(metadata);
  if (marc !== undefined) return fieldsOfMarc(marc);
  const fields = new Set<RatedField>();
  for (const { local, text } of values) {
    const field = fieldOfElement[local];
    if (field === undefined || text.trim() === "") continue;
    fields.add(field);
    if (field === "identifier" && /^\s*https?:\/\//i.test(text)) fields.add("url");
  }
  return fields;
}

function fieldsOfMarc({ control, fields }: MarcRecord): Set<RatedField> {
  const tags = new Set([...control, ...fields].map(([tag]) => tag));
  return new Set(ratedFields.filter((field) => tagsOfField[field].some((tag) => tags.has(tag))));
}
