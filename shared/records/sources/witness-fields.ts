import * as z from "zod";
import { originRules } from "../rule-ids.ts";
import type { ConfigurationTable } from "./configuration-fields.ts";

/** The fields about the origin of records, which a group has for all its sources and each source may override. */
export const witnessFields = {
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
