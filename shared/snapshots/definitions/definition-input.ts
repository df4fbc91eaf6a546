import * as z from "zod";
import { controlCharacters } from "../../core/control-characters.ts";
import { defaultMinimumShare } from "../index/build/index-answer.ts";

const count = (most: number) => z.int().min(1).max(most);

/** A host name, whose home pages are the seeds. */
const domain = z
  .string()
  .regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i,
    "must be a domain, such as a.example",
  );

const seed = z
  .string()
  .max(2000)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    "must be an absolute http or https URL",
  )
  .overwrite((text) => {
    // Also called for what is refused above.
    const url = URL.parse(text);
    if (url === null) return text;
    url.hash = "";
    return url.href;
  });

/** What an operator sets of a definition. */
export const definitionInput = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((text) => !controlCharacters.test(text), "must be a line of text, without control characters"),
  type: z
    .enum(["snapshot", "selective"])
    .describe(
      "`snapshot`: all seeds once, against a deduplication index; `selective`: some sites, without an index",
    ),
  seeds: z.array(seed).max(5000).default([]).describe("URLs where the harvest begins"),
  domains: z.array(domain).max(5000).default([]).describe("Domains whose home pages are further seeds"),
  limits: z
    .strictObject({
      maxObjects: count(100_000).default(10_000).describe("Captured URLs per job"),
      maxBytes: count(64 * 1024 ** 3)
        .default(10_000_000_000)
        .describe("Bytes of bodies per job"),
      maxObjectBytes: count(64 * 1024 ** 3)
        .default(10_000_000_000)
        .describe("Bytes of one body; a longer body is truncated"),
      maxDepth: z
        .int()
        .min(0)
        .max(20)
        .default(1)
        .describe("Links from a seed; 0: only the seeds and their resources"),
      maxMinutes: count(7 * 24 * 60)
        .default(24 * 60)
        .describe("Nothing is requested after that time"),
    })
    .prefault({}),
  previous: z.string().min(1).max(64).optional().describe("The id of the snapshot that this one continues"),
  deduplicate: z.boolean().default(true).describe("Whether content that is stored already is referred to"),
  deduplicateText: z
    .boolean()
    .default(false)
    .describe("Whether texts (mime types `text/…`) are referred to, too"),
  minimumShare: z
    .number()
    .min(0)
    .max(1)
    .default(defaultMinimumShare)
    .describe("The share of the earlier jobs that the index must hold; it is partial if some are missing"),
});
export type DefinitionInput = z.output<typeof definitionInput>;
