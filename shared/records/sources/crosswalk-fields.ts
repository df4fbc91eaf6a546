import * as z from "zod";
import { marcLanguage } from "../../marc/language-codes.ts";

const subfieldCode = z.string().regex(/^[a-z0-9]$/, "must be the code of a subfield: a letter or a digit");

/** Where the value of an element goes. */
const crosswalkTarget = z.strictObject({
  tag: z.string().regex(/^(?:0[1-9]|[1-9]\d)\d$/, "must be the tag of a data field, 010 to 999"),
  indicators: z
    .string()
    .regex(/^[\d ]{2}$/, "must be two indicators: digits or spaces")
    .default("  "),
  code: subfieldCode.default("a"),
  /** The subfield of a value that is a URL. */
  urlCode: subfieldCode.optional(),
  /** A value with this in it is several: each becomes a field. */
  separator: z.string().min(1).max(10).optional(),
  /** Further subfields by code, with the same value in each field. */
  constants: z.record(subfieldCode, z.string().min(1).max(200)).default({}),
});
export type CrosswalkTarget = z.output<typeof crosswalkTarget>;

/** What the values of an element of Dublin Core become, by its name without a prefix. None: it is left out. */
export type ElementMap = Readonly<Record<string, readonly CrosswalkTarget[]>>;

/** The properties of Dublin Core. @see https://www.dublincore.org/specifications/dublin-core/dcmi-terms/ */
const dublinCoreElements: ReadonlySet<string> = new Set(
  (
    "abstract accessRights accrualMethod accrualPeriodicity accrualPolicy alternative audience available " +
    "bibliographicCitation conformsTo contributor coverage created creator date dateAccepted dateCopyrighted " +
    "dateSubmitted description educationLevel extent format hasFormat hasPart hasVersion identifier " +
    "instructionalMethod isFormatOf isPartOf isReferencedBy isReplacedBy isRequiredBy isVersionOf issued language " +
    "license mediator medium modified provenance publisher references relation replaces requires rights " +
    "rightsHolder source spatial subject tableOfContents temporal title type valid"
  ).split(" "),
);

function elementProblem(element: string): string | undefined {
  if (element === "title") return "cannot be mapped: a record needs its 245";
  if (dublinCoreElements.has(element)) return undefined;
  return `must be an element of Dublin Core, without a prefix: ${[...dublinCoreElements].join(", ")}`;
}

/**
 * How the Dublin Core of one source becomes MARC, where that differs from the built-in map. Languages and types are found
 * whatever the case of their letters.
 */
export const crosswalk = z
  .strictObject({
    fields: z
      .record(z.string(), z.array(crosswalkTarget).max(10))
      .superRefine((fields, context) => {
        for (const element of Object.keys(fields)) {
          const message = elementProblem(element);
          if (message !== undefined)
            context.addIssue({ code: "custom", path: [element], input: element, message });
        }
      })
      .default({}),
    languages: z
      .record(
        z.string().min(1).max(100),
        z.string().refine((code) => marcLanguage(code) === code, "must be a MARC code, such as ger"),
      )
      .default({}),
    types: z
      .record(
        z.string().min(1).max(200),
        z.string().regex(/^[acdefgijkmoprt][abcdims]$/, "must be leader/06 and 07, such as ab"),
      )
      .default({}),
  })
  .describe(
    "How Dublin Core becomes MARC where it differs from the built-in [crosswalk](crosswalks.md#a-map-of-your-own): " +
      "`fields` by element, `languages` by text, `types` by text",
  );
export type Crosswalk = z.output<typeof crosswalk>;
