import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import type { Drift, SourceQuality } from "./drift.ts";
import { addFigures, type FieldFigures, medianLength, noFigures } from "./figures.ts";
import { type QualityFieldName, qualityFieldNames, qualityFields } from "./quality-field.ts";
import type { QualityStore } from "./quality-store.ts";

/** The figures of a field in a period. */
export interface FieldQuality {
  /** The number of records. */
  of: number;
  has: number;
  repeated: number;
  /** Only for the year. */
  outside?: number;
  /** In characters; absent when no record has the field. */
  medianLength?: number;
}

interface ReadQuality {
  fields: ({ field: QualityFieldName; place: string } & Record<"now" | "days30" | "days90", FieldQuality>)[];
  /** Oldest first. */
  runs: SourceQuality[];
  drifts: Drift[];
}

/** The number of runs with records that are read: two per day in 90 days, and some more. */
const maxRuns = 200;
const days = { days30: 30, days90: 90 };

/** Returns the quality of the records of a source: of the last run, of 30 days and of 90 days. */
export async function readQuality(
  sourceId: string,
  { quality, clock }: { quality: Pick<QualityStore, "latest" | "drifts">; clock: Pick<Clock, "now"> },
): Promise<ReadQuality> {
  const sinceOf = (count: number) => new Date(clock.now().getTime() - count * dayMs).toISOString();
  const [runs, known] = await Promise.all([
    quality.latest(sourceId, { limit: maxRuns, since: sinceOf(days.days90) }),
    quality.drifts(sourceId),
  ]);
  const recent = runs.filter(({ startedAt }) => startedAt >= sinceOf(days.days30));
  return {
    fields: qualityFieldNames.map((field) => ({
      field,
      place: qualityFields[field].place,
      now: qualityOf(runs.slice(0, 1), field),
      days30: qualityOf(recent, field),
      days90: qualityOf(runs, field),
    })),
    runs: runs.toReversed(),
    drifts: known?.drifts ?? [],
  };
}

function qualityOf(runs: readonly SourceQuality[], field: QualityFieldName): FieldQuality {
  const sum = runs.reduce<FieldFigures>(
    (total, { fields }) => addFigures(total, fields[field] ?? noFigures),
    noFigures,
  );
  const { lengths: _lengths, ...figures } = sum;
  const median = medianLength(sum);
  return {
    of: runs.reduce((total, { records }) => total + records, 0),
    ...figures,
    ...(median !== undefined && { medianLength: median }),
  };
}
