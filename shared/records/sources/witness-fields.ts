import * as z from "zod";
import { originRules } from "../rule-ids.ts";
import type { ConfigurationTable } from "./configuration-fields.ts";

/** The registration agencies of DOIs that can be asked about articles. */
const doiAgencies = ["crossref", "datacite"] as const;
export type DoiAgency = (typeof doiAgencies)[number];

/** The fields about the origin of records, which a group has for all its sources and each source may override. */
export const witnessFields = {
  doiAgencies: {
    schema: z
      .array(z.enum(doiAgencies))
      .optional()
      .describe(
        "The registration agencies that are asked, in this order, about the DOI of each new article: `crossref`, `datacite`. A source without the field has that of its group; by default, none",
      ),
    label: { en: "Registration agencies of DOIs", de: "Registrierungsagenturen der DOIs" },
    hint: {
      en: "One per line: crossref, datacite; they fill gaps and know retractions",
      de: "Eine pro Zeile: crossref, datacite; sie füllen Lücken und kennen Zurückziehungen",
    },
    isOperators: true,
    form: "more",
  },
  heldFindings: {
    schema: z
      .array(z.enum(originRules))
      .optional()
      .describe(
        `The findings because of which records wait for an operator instead of being delivered: ${originRules.map((each) => `\`${each}\``).join(", ")}. A source without the field has that of its group; by default, none`,
      ),
    label: { en: "Findings that hold a record", de: "Befunde, die einen Datensatz zurückhalten" },
    hint: {
      en: `One per line: ${originRules.join(", ")}`,
      de: `Einer pro Zeile: ${originRules.join(", ")}`,
    },
    isOperators: true,
    form: "more",
  },
} satisfies ConfigurationTable;
