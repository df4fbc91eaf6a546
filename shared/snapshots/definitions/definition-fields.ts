import { domainToASCII } from "node:url";
import * as z from "zod";
import { controlCharacters } from "../../core/control-characters.ts";
import { type FieldTable, shapeOf } from "../../core/field-table.ts";
import { defaultMinimumShare } from "../index/build/index-answer.ts";
import { limitFields } from "./limit-fields.ts";

const asciiDomain =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/;

/** A host name, whose home pages are the seeds; in any script, and stored as ASCII. */
const domain = z
  .string()
  .max(1000)
  .overwrite((text) => domainToASCII(text) || text)
  .refine((text) => asciiDomain.test(text), "must be a domain, such as a.example or bücher.example");

const seed = z
  .string()
  .max(2000)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    "must be an absolute http or https URL",
  )
  .overwrite((text) => {
    // This is also called for texts that the check above refuses.
    const url = URL.parse(text);
    if (url === null) return text;
    url.hash = "";
    return url.href;
  });

/** The fields of a harvest definition that operators set. */
export const definitionFields = {
  title: {
    schema: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine((text) => !controlCharacters.test(text), "must be a line of text, without control characters"),
    label: { en: "Title", de: "Titel" },
  },
  type: {
    schema: z
      .enum(["snapshot", "selective"])
      .describe(
        "`snapshot`: all seeds once, against a deduplication index; `selective`: some sites, without an index",
      ),
    label: { en: "Kind", de: "Art" },
    hint: {
      en: "Snapshot: all seeds once, and content that is already stored is not stored again; selective: some sites, without an index",
      de: "Snapshot: alle Startadressen einmal, ohne Gespeichertes nochmals zu speichern; selektiv: einzelne Websites, ohne Index",
    },
    choices: {
      snapshot: { en: "snapshot", de: "Snapshot" },
      selective: { en: "selective", de: "selektiv" },
    },
  },
  seeds: {
    schema: z.array(seed).max(5000).default([]).describe("URLs where the harvest begins"),
    label: { en: "Seeds", de: "Startadressen" },
    hint: { en: "URLs or domains, one per line", de: "URLs oder Domains, eine pro Zeile" },
  },
  domains: {
    schema: z.array(domain).max(5000).default([]).describe("Domains whose home pages are further seeds"),
    label: { en: "Domains", de: "Domains" },
    // In forms, domains are entered among the seeds.
    form: "none",
  },
  limits: {
    schema: z.strictObject(shapeOf(limitFields)).prefault({}),
    label: { en: "Limits", de: "Grenzen" },
    fields: limitFields,
  },
  previous: {
    schema: z.string().min(1).max(64).optional().describe("The id of the snapshot that this one continues"),
    label: { en: "Continues", de: "Setzt fort" },
    hint: {
      en: "The new snapshot refers to content of this one instead of storing it again",
      de: "Auf Inhalte, die dieser Snapshot gespeichert hat, wird verwiesen",
    },
  },
  deduplicate: {
    schema: z
      .boolean()
      .default(true)
      .describe("Whether to refer to content that is already stored, instead of storing it again"),
    label: { en: "Refer to content that is already stored", de: "Auf gespeicherte Inhalte verweisen" },
  },
  deduplicateText: {
    schema: z.boolean().default(false).describe("Whether to refer to texts (MIME types `text/…`), too"),
    label: { en: "Refer to texts, too", de: "Auch auf Texte verweisen" },
    form: "more",
  },
  minimumShare: {
    schema: z
      .number()
      .min(0)
      .max(1)
      .default(defaultMinimumShare)
      .describe(
        "The share of the earlier jobs that the index must hold; an index without some of them is partial",
      ),
    label: {
      en: "Share of the earlier jobs that the index must hold",
      de: "Anteil der früheren Jobs, den der Index enthalten muss",
    },
    hint: { en: "0 to 1", de: "0 bis 1" },
    form: "more",
  },
} satisfies FieldTable;
