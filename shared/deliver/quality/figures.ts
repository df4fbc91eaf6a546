import { digest } from "../../core/digest.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { type QualityFieldName, qualityFieldNames, valuesOf } from "./quality-field.ts";

/** The figures of one field over some records. */
export interface FieldFigures {
  /** The number of records that have the field. */
  has: number;
  /** The number of these records whose value is also that of another record. */
  repeated: number;
  /** The number of these records whose year is neither the year of the run, nor the one before or after it. */
  outside?: number;
  /** The number of these records by the class of the length of their value: see `lengthClassOf`. */
  lengths: Record<string, number>;
}

/** The figures of the records of a source. */
export interface QualityFigures {
  records: number;
  /** Fields that no record has are absent. */
  fields: Partial<Record<QualityFieldName, FieldFigures>>;
}

export const noFigures: FieldFigures = { has: 0, repeated: 0, lengths: {} };

/** The figures of a source in one part of a run. */
interface PartFigures {
  records: number;
  fields: Partial<Record<QualityFieldName, PartFieldFigures>>;
}

interface PartFieldFigures extends FieldFigures {
  /** The number of records with each value, by the digest with which values of other parts are compared. */
  values?: Record<string, number>;
}

/** The figures of one part of a run by source. */
export type PartQuality = Record<string, PartFigures>;

/** The maximum number of values of a field that are compared between parts; further ones only within their part. */
const maxComparedValues = 5000;

/** Two of 5,000 values have the same digest of 48 bits in one of 20 million cases. */
const digestChars = 8;

/**
 * Measures the records of a part.
 * @param year the year of the run
 */
export function measurePart(
  records: readonly { sourceId: string; record: MarcRecord }[],
  year: number,
): PartQuality {
  const bySource = Map.groupBy(records, ({ sourceId }) => sourceId);
  return Object.fromEntries([...bySource].map(([sourceId, own]) => [sourceId, measureSource(own, year)]));
}

function measureSource(own: readonly { record: MarcRecord }[], year: number): PartFigures {
  const figures: PartFigures = { records: own.length, fields: {} };
  for (const name of qualityFieldNames) {
    const texts = own.map(({ record }) => valuesOf(record, name).join("; ")).filter((text) => text !== "");
    if (texts.length === 0) continue;
    const values = countBy(texts, (text) => digest(text).slice(0, digestChars));
    const isOutside = (text: string) => Math.abs(Number(/\d{4}/.exec(text)?.[0]) - year) > 1;
    figures.fields[name] = {
      has: texts.length,
      repeated: repeatedIn(Object.values(values)),
      ...(name === "year" && { outside: texts.filter(isOutside).length }),
      lengths: countBy(texts, (text) => String(lengthClassOf(text.length))),
      values,
    };
  }
  return figures;
}

function countBy(texts: readonly string[], key: (text: string) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[key(text)] = (counts[key(text)] ?? 0) + 1;
  return counts;
}

function repeatedIn(counts: readonly number[]): number {
  return counts.filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
}

interface JoinedField {
  figures: FieldFigures;
  values: Map<string, number>;
}

/** Joins the figures of the parts of a run. Any division of the same records yields the same figures. */
export class RunQuality {
  private readonly sources = new Map<
    string,
    { records: number; fields: Map<QualityFieldName, JoinedField> }
  >();

  add(part: PartQuality): void {
    for (const [sourceId, { records, fields }] of Object.entries(part)) {
      const joined = this.sources.get(sourceId) ?? { records: 0, fields: new Map() };
      this.sources.set(sourceId, joined);
      joined.records += records;
      for (const name of qualityFieldNames) {
        const { values = {}, ...added }: PartFieldFigures = fields[name] ?? noFigures;
        const { figures, values: known } = joined.fields.get(name) ?? {
          figures: noFigures,
          values: new Map(),
        };
        const sum = addFigures(figures, added);
        sum.repeated += newlyRepeated(known, values);
        joined.fields.set(name, { figures: sum, values: known });
      }
    }
  }

  /** Returns the figures by source. */
  figures(): Record<string, QualityFigures> {
    return Object.fromEntries(
      [...this.sources].map(([sourceId, { records, fields }]) => {
        const present = [...fields].filter(([, { figures }]) => figures.has > 0);
        return [
          sourceId,
          { records, fields: Object.fromEntries(present.map(([name, { figures }]) => [name, figures])) },
        ];
      }),
    );
  }
}

/**
 * Adds the values of a part to the known ones.
 * @returns the number of records that are repeated only because both have their value
 */
function newlyRepeated(known: Map<string, number>, added: Record<string, number>): number {
  let repeated = 0;
  for (const [value, count] of Object.entries(added)) {
    const before = known.get(value);
    if (before === undefined && known.size >= maxComparedValues) continue;
    known.set(value, (before ?? 0) + count);
    if (before === undefined) continue;
    repeated += (before === 1 ? 1 : 0) + (count === 1 ? 1 : 0);
  }
  return repeated;
}

/** Adds figures of different records. Values are not compared between the two. */
export function addFigures(one: FieldFigures, other: FieldFigures): FieldFigures {
  const lengths = { ...one.lengths };
  for (const [length, count] of Object.entries(other.lengths))
    lengths[length] = (lengths[length] ?? 0) + count;
  const outside = (one.outside ?? 0) + (other.outside ?? 0);
  const hasYears = one.outside !== undefined || other.outside !== undefined;
  return {
    has: one.has + other.has,
    repeated: one.repeated + other.repeated,
    ...(hasYears && { outside }),
    lengths,
  };
}

/** The number of classes in which lengths double. The middle of a class differs from its lengths by 9 % at most. */
const classesPerDoubling = 4;

function lengthClassOf(length: number): number {
  return Math.round(Math.log2(length) * classesPerDoubling);
}

/** Returns the median length in characters, to about 9 %; undefined when there are no values. */
export function medianLength({ lengths }: Pick<FieldFigures, "lengths">): number | undefined {
  const classes = Object.entries(lengths)
    .map(([length, count]) => [Number(length), count] as const)
    .sort(([one], [other]) => one - other);
  const middle = classes.reduce((sum, [, count]) => sum + count, 0) / 2;
  let seen = 0;
  for (const [length, count] of classes) {
    seen += count;
    if (seen >= middle) return Math.round(2 ** (length / classesPerDoubling));
  }
  return undefined;
}
