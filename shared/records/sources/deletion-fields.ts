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
      .describe(
        "The number of documents that one full list or folder may delete, regardless of their share. Deletions that exceed both this number and `maxPercent` are held",
      ),
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
      .describe(
        "The share of a source's documents that may be deleted at once, in per cent. It applies when it amounts to more documents than `maxDocuments`",
      ),
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
        "The maximum number of `GetRecord` requests after a full list. By default 100, or the number of pages of the list if it is greater. The limit does not apply to deletions that an operator has released",
      ),
    label: {
      en: "GetRecord requests after a list, at most",
      de: "GetRecord-Anfragen nach einer Liste, höchstens",
    },
    isOperators: true,
    form: "more",
  },
} satisfies ConfigurationTable;
