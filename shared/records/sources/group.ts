import * as z from "zod";
import { controlCharacters } from "../../core/control-characters.ts";
import { userAgentSchema } from "../../core/user-agent.ts";
import { fieldText } from "./filters.ts";
import { recordText } from "./record-text.ts";

/** The most records of one file: it is built in memory, and receivers read it whole. */
const maxRecordsPerFile = 100_000;

/** Records in one delivered file, unless the group says otherwise. */
export const defaultRecordsPerFile = 10_000;

const remoteFolder = z
  .string()
  .regex(/^\/?[\w.-]+(\/[\w.-]+)*$/, "must be a path without a slash at its end")
  .refine((path) => !/(^|\/)\.{1,2}(\/|$)/.test(path), "must be a path without the steps . and ..");

const remoteHost = z
  .string()
  .regex(
    /^(?:[a-z\d](?:[a-z\d._-]*[a-z\d])?|[a-f\d:.]*:[a-f\d:.]*)$/i,
    "must be the name or the address of a host",
  );

/** A receiver by SFTP. The login is in a secret. */
export const sftpDestination = z.strictObject({
  type: z.literal("SFTP"),
  host: remoteHost,
  port: z.number().int().min(1).max(65_535).default(22),
  username: z
    .string()
    .min(1)
    .refine((text) => !controlCharacters.test(text), "must not have line breaks or other control characters"),
  hostKeyFingerprint: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be SHA256: and 43 characters")
    .describe("The server's key, as `ssh-keygen -lf` shows it; a server with another key is refused"),
  liveFolder: remoteFolder.default("Default/input").describe("Folder of live files"),
  testFolder: remoteFolder.default("Default_Test/input").describe("Folder of test files"),
});
export type SftpDestination = z.output<typeof sftpDestination>;

/** Where delivered files go besides the bucket of deliveries, which keeps all of them. */
const destination = z
  .discriminatedUnion("type", [z.strictObject({ type: z.literal("S3") }), sftpDestination])
  .default({ type: "S3" })
  .describe("Where files go besides the bucket of deliveries");

const recordsPerFile = z
  .number()
  .int()
  .min(1)
  .max(maxRecordsPerFile)
  .default(defaultRecordsPerFile)
  .describe("Records in one file, at most");

/** The delivery settings of a group that operators set. */
export const groupDelivery = z.strictObject({ destination, recordsPerFile });

/** An institution that gets records: its User-Agent, where records go, and the marks of its records. */
export const group = z.object({
  /** Begins every 001 and every file name. */
  groupId: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "must be letters, digits, '_' and '-'"),
  /** 003 and 852 $a. @see https://sigel.staatsbibliothek-berlin.de/ */
  isil: recordText,
  userAgent: userAgentSchema,
  /** Folder of the delivered files. */
  outputFolder: z.string().regex(/^[\w-][\w.-]*$/, "must be a single folder name"),
  destination,
  recordsPerFile,
  /** The URL of the name lookup, to which "Last, First" is appended. */
  authorLookupUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Query parameters of a second lookup; kept for the file format, unused. */
  authorLobidLookupParams: z.string().optional(),
  /** The recipients of mails about refused records and overdue sources. */
  recipients: z.array(z.email()).default([]),

  /** ZID $b: the Zeder instance; the group's id in lower case unless given. */
  zederInstance: recordText.optional(),
  /** 935 $a of records that were not selected one by one, e.g. `mteo`. */
  subjectMark: recordText.length(4).optional(),
  /** 935 $a with $2 LOK, e.g. `ixzs`. */
  localMark: recordText.length(4).optional(),
  /** 887 $2 of authors that were linked by program, e.g. `ixzom`. */
  linkedAuthorMark: recordText.optional(),
  /** As in a source's filters. */
  addFields: z.array(fieldText).default([]),
});
export type Group = z.output<typeof group>;
export type NewGroup = z.input<typeof group>;

/** A part of a group with a name lookup of its own. */
export const subgroup = z.object({
  subgroupId: z.string().min(1),
  authorLookupUrl: z.url({ protocol: /^https?$/ }).optional(),
});
export type Subgroup = z.output<typeof subgroup>;
