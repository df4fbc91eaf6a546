import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { fieldAt, setField } from "../../field-path.ts";
import type { SectionReader } from "../section-reader.ts";
import type { DocumentedKey, KeyTable } from "./key-table.ts";
import type { ValueFormat } from "./value-formats.ts";

type Nested<Value> =
  Exclude<Value, undefined> extends infer Inner
    ? Inner extends readonly unknown[] | string | number | boolean
      ? never
      : keyof Inner & string
    : never;

/** The path of a field, such as `url` or `crawl.maxDepth`. */
type FieldPath<Item> = {
  [Field in keyof Item & string]: Field | `${Field}.${Nested<Item[Field]>}`;
}[keyof Item & string];

type ValueAt<Item, Path> = Path extends `${infer Field}.${infer Inner}`
  ? Field extends keyof Item
    ? Inner extends keyof NonNullable<Item[Field]>
      ? NonNullable<NonNullable<Item[Field]>[Inner]>
      : never
    : never
  : Path extends keyof Item
    ? NonNullable<Item[Path]>
    : never;

interface FieldKey {
  key: string;
  isRequired?: true;
  /** Set for a key that an export writes even when it has its default. */
  isAlwaysWritten?: true;
  /** The key that must be true for this key to have an effect. */
  onlyWith?: string;
  /** Further fields whose problems are reported under this key. */
  reports?: readonly string[];
  /** The meaning of the key, in Markdown. */
  meaning: string;
  example?: string;
}

/** A key that sets one field, or a key without a field that the format of another key reads. */
export type FieldKeyOf<Item> =
  | (FieldKey & { field?: undefined; format: ValueFormat<boolean> })
  | {
      [Path in FieldPath<Item>]: FieldKey & { field: Path; format: ValueFormat<ValueAt<Item, Path>> };
    }[FieldPath<Item>];

type Row = FieldKey & { field?: string | undefined; format: ValueFormat<never> };

/**
 * Builds the table of keys that set one field each.
 * @param schema the schema whose defaults an export omits
 */
export function fieldKeys<Item>(schema: z.ZodObject, keys: readonly FieldKeyOf<Item>[]): KeyTable {
  const rows = keys as readonly Row[];
  const names = new Set(rows.map(({ key }) => key));
  const byField = new Map(
    rows.flatMap(({ key, field, reports = [] }) => [field, ...reports].map((path) => [path, key])),
  );
  const defaultOf = ({ field }: Row) => {
    const [outer = ""] = field?.split(".") ?? [];
    const whole = schema.shape[outer]?.safeParse(undefined).data;
    return field === undefined ? undefined : fieldAt({ [outer]: whole }, field);
  };
  const printed = ({ format }: Row, value: unknown) =>
    value === undefined ? undefined : format.print(value as never);
  return {
    rows: rows.map((row): DocumentedKey => {
      const { key, isRequired, meaning, format, onlyWith, example } = row;
      return {
        key,
        ...(isRequired && { isRequired }),
        meaning: onlyWith === undefined ? meaning : `${meaning} Only with \`${onlyWith}\`.`,
        values: format.values,
        default: printed(row, defaultOf(row))?.toString(),
        example,
      };
    }),
    has: (key) => names.has(key),
    read: (reader) => readRows(rows, reader),
    print: (item) =>
      rows.map((row) => {
        const value = row.field === undefined ? undefined : fieldAt(item, row.field);
        const isWritten = row.isRequired || row.isAlwaysWritten || !isDeepStrictEqual(value, defaultOf(row));
        return [row.key, isWritten ? printed(row, value) : undefined];
      }),
    buildLookup:
      () =>
      ([field, inner]) =>
        byField.get(`${String(field)}.${String(inner)}`) ?? byField.get(String(field)),
  };
}

function readRows(rows: readonly Row[], reader: SectionReader): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { key, field, format, isRequired, onlyWith } of rows) {
    if (isRequired && !reader.require(key)) continue;
    const value: unknown = format.parse(reader, key);
    if (field === undefined || value === undefined) continue;
    if (onlyWith === undefined || reader.isTrue(onlyWith)) setField(fields, field, value);
  }
  return fields;
}
