import * as z from "zod";

/** The origins of an article's metadata. */
export const witnesses = [
  "page",
  "linked-record",
  "translation-server",
  "crossref",
  "datacite",
  "feed",
  "authority-file",
] as const;
export type Witness = (typeof witnesses)[number];

/** The fields whose origin is kept. */
export const provenanceFields = [
  "title",
  "creators",
  "year",
  "volume",
  "issue",
  "pages",
  "doi",
  "issn",
  "journal",
  "language",
  "abstract",
  "licence",
  "keywords",
  "type",
  "identities",
] as const;
export type ProvenanceField = (typeof provenanceFields)[number];

/** The maximum number of characters that are kept of a statement. */
const maxValueChars = 200;

const value = z.string().max(maxValueChars + 1);

const fieldProvenance = z
  .strictObject({
    field: z.enum(provenanceFields),
    value: value.describe("The value in the record, truncated to 200 characters"),
    witness: z.enum(witnesses).describe("The witness from which the value was taken"),
    recipe: z.string().optional().describe("The id of the recipe that read the value from the page"),
    others: z
      .array(z.strictObject({ witness: z.enum(witnesses), value }))
      .describe("What the other witnesses say, which may be the same"),
    disagrees: z
      .literal(true)
      .optional()
      .describe("Set when another witness contradicts the year, volume, title or first author"),
  })
  .meta({ title: "FieldProvenance" });

/** The origin of each field of a record, in the order of `provenanceFields`. At most about 20 KB. */
export const provenance = z.array(fieldProvenance);
export type Provenance = z.output<typeof provenance>;
export type FieldProvenance = Provenance[number];

/** What an operator reads about `provenance` in the documents. */
export const provenanceText =
  "The witness from which each field was taken, and what the other witnesses say; empty for records that the source itself listed";

/** Shortens what a witness says to the length that is kept. */
export function shortenStatement(text: string): string {
  return text.length <= maxValueChars
    ? text
    : `${text.slice(0, maxValueChars).replace(/[\ud800-\udbff]$/, "")}…`;
}
