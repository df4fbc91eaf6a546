import * as z from "zod";
import type { FieldTable } from "../../core/field-table.ts";
import { patternText } from "../../core/pattern.ts";
import { xpathText } from "../../formats/xpath/xpath.ts";
import { statusPatternsText } from "./status-patterns.ts";

const throttleMaxSeconds = 3600;

/** Every field of a link rule. */
export const linkRuleFields = {
  title: {
    schema: z.string().max(200).optional().describe("The title of the collection"),
    label: { en: "Title", de: "Titel" },
  },
  statusCodes: {
    schema: statusPatternsText
      .optional()
      .describe(
        "Regular expressions, separated by commas: a link is broken when one matches the whole status of a hop",
      ),
    label: { en: "Status", de: "Status" },
    hint: {
      en: "Regular expressions, separated by commas: 301,4..",
      de: "Reguläre Ausdrücke, durch Kommas getrennt: 301,4..",
    },
    isInDigest: true,
    example: "301,4..",
  },
  xpath: {
    schema: xpathText
      .optional()
      .describe("XPath 1.0: a link is broken when the expression matches on its page"),
    label: { en: "XPath on the page", de: "XPath auf der Seite" },
    hint: { en: "XPath 1.0, such as //p[@class='error']", de: "XPath 1.0, etwa //p[@class='error']" },
    isInDigest: true,
    example: "//p[@class='error']",
  },
  finalUrl: {
    schema: patternText
      .max(500)
      .optional()
      .describe(
        "A regular expression: a link is broken when the expression matches the whole address, without fragment, that the link's redirects lead to",
      ),
    label: { en: "Final address", de: "Endadresse" },
    hint: {
      en: "A regular expression that matches the whole address",
      de: "Ein regulärer Ausdruck, der die ganze Adresse trifft",
    },
    isInDigest: true,
    example: ".*/login",
  },
  throttleSeconds: {
    schema: z
      .number()
      .min(0)
      .max(throttleMaxSeconds)
      .optional()
      .describe("Shortest wait between the end of a request to a host and the start of the next"),
    label: { en: "Seconds between requests", de: "Sekunden zwischen zwei Anfragen" },
  },
  active: {
    schema: z.boolean().default(true).describe("`false`: links are not checked"),
    label: { en: "Check links", de: "Links prüfen" },
  },
} satisfies FieldTable;
