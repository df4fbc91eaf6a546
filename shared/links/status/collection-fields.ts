import * as z from "zod";
import { type FieldTable, shapeOf } from "../../core/field-table.ts";
import { distinctAddresses } from "../../core/mail-address.ts";
import { titleSchema } from "../../core/title.ts";
import { linkRuleFields } from "../rule/rule-fields.ts";

const maxDelayHours = 24 * 90;

// The title of the rule is left out, because a collection has its own `title` field.
const { title: _title, ...ruleFields } = linkRuleFields;

/** Every field of a collection. */
export const collectionFields = {
  collectionId: {
    /** Any source id is a valid collection id, because a source without a collection is its own collection. */
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, "must be 1 to 128 of a-z, 0-9, '.', '_' and '-'"),
    label: { en: "Id", de: "Id" },
    form: "none",
  },
  title: { schema: titleSchema(200).describe("One line"), label: { en: "Title", de: "Titel" } },
  rule: {
    schema: z.strictObject(shapeOf(ruleFields)).prefault({}),
    label: { en: "Link rule", de: "Linkregel" },
    fields: ruleFields,
  },
  recheckDelaysHours: {
    schema: z
      .array(
        z
          .number()
          .min(1 / 3600)
          .max(maxDelayHours),
      )
      .min(1)
      .max(10)
      .default([1, 8, 64])
      .describe(
        "Hours to wait before each further attempt; if the last attempt also fails, the record or collection is deleted",
      ),
    label: { en: "Recheck delays, in hours", de: "Wartezeiten vor weiteren Versuchen, in Stunden" },
    hint: {
      en: "1, 8, 64; if the last attempt also fails, the record or the collection is deleted",
      de: "1, 8, 64; nach einem weiteren Fehlversuch wird ein Datensatz oder die Sammlung gelöscht",
    },
    form: "more",
  },
  inconclusiveLimit: {
    schema: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe("The number of inconclusive checks in a row that count as one failure"),
    label: {
      en: "Inconclusive checks in a row that count as one failure",
      de: "Prüfungen ohne Ergebnis in Folge, die als ein Fehlversuch zählen",
    },
    form: "more",
  },
  recipients: {
    schema: z
      .array(z.email())
      .max(50)
      .overwrite(distinctAddresses)
      .default([])
      .describe("Recipients of mails about this collection, besides the recipients of all mails"),
    label: { en: "Recipients of its mails", de: "Empfänger ihrer Mails" },
    hint: {
      en: "Mail addresses, one per line, in addition to those that get all mails",
      de: "Mailadressen, eine pro Zeile, neben denen, die alle Mails bekommen",
    },
    form: "more",
  },
  hold: {
    schema: z.boolean().default(false).describe("An operator has suppressed it: nothing is checked"),
    label: { en: "Held", de: "Angehalten" },
    form: "none",
  },
} satisfies FieldTable;
