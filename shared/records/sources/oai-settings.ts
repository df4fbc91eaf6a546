import * as z from "zod";
import { patternText } from "./pattern.ts";

const maxDays = 3650;

/** @see https://www.dublincore.org/specifications/dublin-core/dces/ */
const dublinCoreElements = [
  "contributor",
  "coverage",
  "creator",
  "date",
  "description",
  "format",
  "identifier",
  "language",
  "publisher",
  "relation",
  "rights",
  "source",
  "subject",
  "title",
  "type",
] as const;

/** What is harvested of an OAI-PMH repository, and how. */
export const oaiSettings = z.strictObject({
  /** The metadata format. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#MetadataNamespaces */
  metadataPrefix: z
    .string()
    .regex(/^[\w.!~*'()-]{1,200}$/, "must be 1 to 200 letters, digits or any of - _ . ! ~ * ' ( )")
    .default("oai_dc"),
  /** The setSpec of the set; the whole repository when absent. */
  set: z
    .string()
    .regex(/^[\w.!~*'():%+/@-]{1,500}$/, "must be a setSpec, such as articles:peer-reviewed")
    .optional(),
  /** Only records that changed on this day or later. */
  from: z.iso.date().optional(),
  /**
   * What a delivery takes of a list that is still being read: nothing before it is complete, or what has come so far.
   */
  deliver: z.enum(["complete-lists", "as-found"]).default("complete-lists"),
  /** Whether the files of the records are downloaded. */
  files: z.boolean().default(false),
  /** The elements of Dublin Core that name files, in this order; `relation`, then `identifier` when absent. */
  fileFields: z.array(z.enum(dublinCoreElements)).min(1).optional(),
  /** Only URLs that match are files. */
  filePattern: patternText.optional(),
  /**
   * Days after which the whole list is read again, to find deleted records, where the repository does not keep them
   * forever; 0 = never.
   */
  fullHarvestDays: z.number().int().min(0).max(maxDays).default(30),
});
