import * as z from "zod";
import type { ConfigurationTable } from "./configuration-fields.ts";

const maxCount = 1_000_000;

/** The limits on deletions after one list of a source. */
export const deletionFields = {
  maxDocuments: {
    schema: z
      .number()
      .int()
      .min(0)
      .max(maxCount)
      .default(20)
      .describe("Documents that one full list or folder may delete, whatever their share; more are held"),
    label: { en: "Deletions at once, at most", de: "Löschungen auf einmal, höchstens" },
    hint: {
      en: "More wait for your decision, unless they are less than the share below",
      de: "Mehr warten auf Ihre Entscheidung, wenn sie auch den Anteil darunter überschreiten",
    },
    isOperators: true,
    form: "more",
  },
  maxPercent: {
    schema: z
      .number()
      .min(0)
      .max(100)
      .default(5)
      .describe("The share of a source's documents that may be deleted at once, in per cent, if it is more"),
    label: {
      en: "Or this share of the documents, in per cent",
      de: "Oder dieser Anteil der Dokumente, in Prozent",
    },
    isOperators: true,
    form: "more",
  },
  maxQuestions: {
    schema: z
      .number()
      .int()
      .min(1)
      .max(maxCount)
      .optional()
      .describe(
        "`GetRecord` requests after a full list, at most; by default 100, or as many as the list has pages. Deletions that an operator has released are all asked for",
      ),
    label: {
      en: "GetRecord requests after a list, at most",
      de: "GetRecord-Anfragen nach einer Liste, höchstens",
    },
    isOperators: true,
    form: "more",
  },
} satisfies ConfigurationTable;
