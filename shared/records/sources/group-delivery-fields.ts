import * as z from "zod";
import { controlCharacters } from "../../core/control-characters.ts";
import type { ConfigurationTable } from "./configuration-fields.ts";

/** The maximum number of records per file. A file is built in memory, and receivers read it as a whole. */
const maxRecordsPerFile = 100_000;

/** The number of records per delivered file, unless the group has another setting. */
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

/** A receiver by SFTP. Its login is stored in a secret. */
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
    .describe(
      "The key of the server in the form that `ssh-keygen -lf` shows. A server with a different key is refused",
    ),
  liveFolder: remoteFolder.default("Default/input").describe("The folder of live files"),
  testFolder: remoteFolder.default("Default_Test/input").describe("The folder of test files"),
});
export type SftpDestination = z.output<typeof sftpDestination>;

/** The delivery settings of a group, which operators set. */
export const groupDeliveryFields = {
  /** The destination of delivered files, in addition to the bucket of deliveries, which keeps all files. */
  destination: {
    schema: z
      .discriminatedUnion("type", [z.strictObject({ type: z.literal("S3") }), sftpDestination])
      .default({ type: "S3" })
      .describe("The destination of files, in addition to the bucket of deliveries"),
    label: { en: "Receiver", de: "Empfänger" },
    isOperators: true,
    form: "none",
  },
  recordsPerFile: {
    schema: z
      .number()
      .int()
      .min(1)
      .max(maxRecordsPerFile)
      .default(defaultRecordsPerFile)
      .describe("The maximum number of records in one file"),
    label: { en: "Records in one file, at most", de: "Datensätze in einer Datei, höchstens" },
    isOperators: true,
  },
} satisfies ConfigurationTable;
