import * as z from "zod";
import { userAgentSchema } from "../../core/user-agent.ts";
import type { ConfigurationTable } from "./configuration-fields.ts";
import { fieldText } from "./filters.ts";
import { groupDeliveryFields } from "./group-delivery-fields.ts";
import { recordText } from "./record-text.ts";
import { witnessFields } from "./witness-fields.ts";

/** Every field of a group. */
export const groupFields = {
  /** The id of the group, with which every 001 and every file name begins. */
  groupId: {
    schema: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "must be letters, digits, '_' and '-'"),
    label: { en: "Id", de: "Id" },
  },
  /**
   * The content of 003 and 852 $a.
   * @see https://sigel.staatsbibliothek-berlin.de/
   */
  isil: { schema: recordText, label: { en: "ISIL", de: "ISIL" } },
  userAgent: { schema: userAgentSchema, label: { en: "User-Agent", de: "User-Agent" } },
  /** The folder of the delivered files. */
  outputFolder: {
    schema: z.string().regex(/^[\w-][\w.-]*$/, "must be a single folder name"),
    label: { en: "Folder of its files", de: "Ordner ihrer Dateien" },
  },
  recipients: {
    schema: z
      .array(z.email())
      .default([])
      .describe("Recipients of mails about refused records and overdue journals"),
    label: { en: "Recipients", de: "Empfänger der Mails" },
    isOperators: true,
  },
  ...groupDeliveryFields,
  ...witnessFields,
  /** The URL of the name lookup, to which "Last, First" is appended. */
  authorLookupUrl: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    label: { en: "Name lookup", de: "Namenssuche" },
  },
  /** The query parameters of a second lookup. They are kept for the file format, but not used. */
  authorLobidLookupParams: {
    schema: z.string().optional(),
    label: { en: "Parameters of the second name lookup", de: "Parameter der zweiten Namenssuche" },
  },
  contactMail: {
    schema: z
      .email()
      .optional()
      .describe("The mail address in the User-Agent of requests to Crossref and DataCite (`mailto:`)"),
    label: { en: "Contact for Crossref and DataCite", de: "Kontakt für Crossref und DataCite" },
    isOperators: true,
  },
  agencyUrls: {
    schema: z
      .strictObject({
        crossref: z.url({ protocol: /^https?$/ }).optional(),
        datacite: z.url({ protocol: /^https?$/ }).optional(),
      })
      .optional()
      .describe(
        "The APIs of the registration agencies, to which a DOI is appended; by default `https://api.crossref.org/works/` and `https://api.datacite.org/dois/`",
      ),
    label: { en: "APIs of the registration agencies", de: "APIs der Registrierungsagenturen" },
    isOperators: true,
    form: "none",
  },
  zederInstance: {
    schema: recordText
      .optional()
      .describe("The Zeder instance (ZID `$b`); by default the group's name in lower case"),
    label: { en: "Zeder instance", de: "Zeder-Instanz" },
    isOperators: true,
  },
  /** The mark in 935 `$a`, such as `mteo`. */
  subjectMark: {
    schema: recordText
      .length(4)
      .optional()
      .describe("The group's mark (935 `$a`) of records that are not selected one by one"),
    label: { en: "Subject mark", de: "Fachkennzeichen" },
    isOperators: true,
  },
  /** The local mark in 935 `$a`, such as `ixzs`. */
  localMark: {
    schema: recordText.length(4).optional().describe("The group's local mark (935 `$a` with `$2` LOK)"),
    label: { en: "Local mark", de: "Lokales Kennzeichen" },
    isOperators: true,
  },
  /** The mark of linked authors, such as `ixzom`. */
  linkedAuthorMark: {
    schema: recordText.optional().describe("The mark of authors that were linked automatically (887 `$2`)"),
    label: { en: "Mark of linked authors", de: "Kennzeichen verknüpfter Personen" },
    isOperators: true,
  },
  /** The fields that are added to all records of the group, written as in the filters of a source. */
  addFields: {
    schema: z.array(fieldText).default([]),
    label: { en: "Fields of all its records", de: "Felder aller ihrer Datensätze" },
  },
} satisfies ConfigurationTable;
