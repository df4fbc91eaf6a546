import * as z from "zod";
import { count, time } from "../../api/answer.ts";
import type { Drift } from "../quality/drift.ts";
import { qualityFieldNames, qualityFields } from "../quality/quality-field.ts";

export const qualityField = z.enum(qualityFieldNames);

export const place = z.string().describe("The field in MARC, such as `520`");

export const share = z.strictObject({
  has: count.describe("The number of records that have the field"),
  of: count.describe("The number of records"),
});

const fieldQuality = share
  .extend({
    repeated: count.describe("The number of records whose value is also that of another record of their run"),
    outside: count
      .optional()
      .describe(
        "Only for the year: the number of records whose year is neither the year of their run, nor the one before or after it",
      ),
    medianLength: count
      .optional()
      .describe("The median length in characters, to about 9 %; absent when no record has the field"),
  })
  .meta({ title: "FieldQuality" });

export const drift = z
  .strictObject({
    driftId: z.string(),
    field: qualityField,
    place,
    since: time.describe("The start of the first run with the drop"),
    foundIn: z.string().describe("The run that found it"),
    foundAt: time,
    now: share.describe("The share when it was found"),
    before: share.describe("The share in the runs before it"),
    recovered: z
      .strictObject({ runId: z.string(), at: time, share })
      .optional()
      .describe("The run in which the share had recovered"),
    accepted: z
      .strictObject({ at: time, by: z.string() })
      .optional()
      .describe("The operator who accepted the lower share as normal"),
  })
  .meta({ title: "Drift" });

export const sourceQuality = z
  .strictObject({
    sourceId: z.string(),
    fields: z.array(
      z.strictObject({
        field: qualityField,
        place,
        now: fieldQuality.describe("In the last run with records"),
        days30: fieldQuality.describe("In the last 30 days"),
        days90: fieldQuality.describe("In the last 90 days"),
      }),
    ),
    runs: z
      .array(
        z.strictObject({
          runId: z.string(),
          startedAt: time,
          records: count,
          has: z.record(qualityField, count).describe("The number of records that have each field"),
        }),
      )
      .describe("The runs with records in the last 90 days, at most 200, oldest first"),
    drifts: z.array(drift).describe("The last 60 drifts, oldest first"),
  })
  .meta({ title: "SourceQuality" });

/** Adds the place of its field to a drift. */
export function driftView(drift: Drift) {
  return { ...drift, place: qualityFields[drift.field].place };
}
