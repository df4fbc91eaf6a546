import * as z from "zod";
import type { FieldTable } from "../../core/field-table.ts";

const count = (most: number) => z.int().min(1).max(most);

/** The limits of a harvest. The harvest ends when it reaches one of them. */
export const limitFields = {
  maxObjects: {
    schema: count(100_000).default(10_000).describe("Captured URLs per job"),
    label: { en: "URLs per job, at most", de: "URLs pro Job, höchstens" },
    option: { name: "max-objects", help: "end after this number of URLs", max: 100_000_000 },
  },
  maxBytes: {
    schema: count(64 * 1024 ** 3)
      .default(10_000_000_000)
      .describe("Bytes of response bodies per job"),
    label: { en: "Bytes per job, at most", de: "Bytes pro Job, höchstens" },
    form: "more",
    option: { name: "max-bytes", help: "end after this number of bytes" },
  },
  maxObjectBytes: {
    schema: count(64 * 1024 ** 3)
      .default(10_000_000_000)
      .describe("Bytes of one response body; a longer one is truncated to this size"),
    label: { en: "Bytes of one body, at most", de: "Bytes einer Antwort, höchstens" },
    hint: {
      en: "A longer body is truncated to this size",
      de: "Von einer längeren wird so viel gespeichert",
    },
    form: "more",
    option: { name: "object-bytes", help: "truncate a body after this number of bytes" },
  },
  maxDepth: {
    schema: z
      .int()
      .min(0)
      .max(20)
      .default(1)
      .describe("Links from a seed; 0: only the seeds and their embedded resources"),
    label: { en: "Depth", de: "Tiefe" },
    hint: {
      en: "Links from a seed; 0 captures only the seeds and their embedded resources",
      de: "Links ab einer Startadresse; 0 archiviert die Startadressen und ihre Bestandteile",
    },
    option: {
      name: "depth",
      help: "follow links N pages deep; 0: only the URLs and their embedded resources",
    },
  },
  maxMinutes: {
    schema: count(7 * 24 * 60)
      .default(24 * 60)
      .describe("After that time, nothing more is requested"),
    label: { en: "Minutes, at most", de: "Minuten, höchstens" },
    hint: {
      en: "After that time, nothing more is requested",
      de: "Nach dieser Zeit wird nichts mehr angefragt",
    },
    form: "more",
  },
} satisfies FieldTable;
