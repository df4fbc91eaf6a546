import * as z from "zod";
import { dayMs } from "../../core/day.ts";
import { InputError } from "../../core/errors.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { setField } from "./field-path.ts";
import { operatorFields } from "./operator-fields.ts";
import { type Source, source } from "./source.ts";

const settablePaths = operatorFields.source.map(({ path }) => path);

type Fields = Record<string, unknown>;

/**
 * Applies an operator's change to a stored source. The change is an object of operator fields; fields within a field
 * are nested. If the source was added through the API, the change may contain any fields. Omitted fields are kept; null
 * resets a field to its default.
 * @throws InputError for a field that operators cannot set, an invalid value, or an `addedAt` in the future
 */
export function applySourceChange(
  stored: Fields,
  change: unknown,
  { now, isAdded }: { now: Date; isAdded: boolean },
): Source {
  const value = structuredClone(stored);
  for (const [path, wanted] of leavesOf(change, isAdded ? nestedFields : nestedOperatorFields)) {
    if (isAdded) assertKnownField(path, wanted);
    else assertOperatorField(path, wanted);
    setField(value, path, wanted ?? undefined);
  }
  const changed = parseInput(source, value);
  const { addedAt } = changed;
  // In the operator's time zone, the day may already have begun.
  if (addedAt !== undefined && addedAt !== stored.addedAt && Date.parse(addedAt) > now.getTime() + dayMs) {
    throw new InputError(
      "addedAt",
      addedAt,
      "must not be in the future: the source could not become overdue until then",
    );
  }
  return changed;
}

/**
 * Splits a change into fields and values.
 * @param nested the fields whose inner fields are set one by one
 */
function leavesOf(change: unknown, nested: readonly string[]): [path: string, wanted: unknown][] {
  if (!isObject(change)) throw new InputError("(whole)", change, "must be an object of fields");
  return Object.entries(change).flatMap(([field, wanted]): [string, unknown][] =>
    nested.includes(field) && isObject(wanted)
      ? Object.entries(wanted).map(([inner, one]) => [`${field}.${inner}`, one])
      : [[field, wanted]],
  );
}

function assertKnownField(path: string, wanted: unknown): void {
  if (path === "sourceId") throw new InputError(path, wanted, "cannot be changed: add another source");
  const [field = "", inner] = path.split(".");
  if (Object.hasOwn(inner === undefined ? source.shape : fieldsWithin(field), inner ?? field)) return;
  throw new InputError(path, wanted, "there is no such field of a source");
}

function assertOperatorField(path: string, wanted: unknown): void {
  if (settablePaths.includes(path)) return;
  const [field = "", inner] = path.split(".");
  const isKnown = Object.hasOwn(inner === undefined ? source.shape : fieldsWithin(field), inner ?? field);
  const problem = isKnown
    ? "comes from the configuration file: change it there, and import it"
    : "there is no such field of a source";
  throw new InputError(path, wanted, `${problem}; operators can set ${settablePaths.join(", ")}`);
}

/** The fields within which operators can set inner fields. */
const nestedOperatorFields = settablePaths.flatMap((path) => (path.includes(".") ? path.split(".", 1) : []));

/** The fields that are objects of inner fields, and that always exist. */
const nestedFields = Object.entries(source.shape).flatMap(([name, schema]) =>
  schema instanceof z.ZodPrefault && schema.unwrap() instanceof z.ZodObject ? [name] : [],
);

function fieldsWithin(name: string): object {
  const schema: unknown = Object.hasOwn(source.shape, name)
    ? source.shape[name as keyof typeof source.shape]
    : undefined;
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : undefined;
  return inner instanceof z.ZodObject ? inner.shape : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
