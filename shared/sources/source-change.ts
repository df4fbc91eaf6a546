import { dayMs } from "../core/day.ts";
import { InputError } from "../core/errors.ts";
import { parseInput } from "../core/schema-problems.ts";
import { setField } from "./field-path.ts";
import { operatorFields } from "./operator-fields.ts";
import { type Source, source } from "./source.ts";

const settablePaths = operatorFields.source.map(({ path }) => path);

type Fields = Record<string, unknown>;

/**
 * Applies an operator's change to a stored source. The change is an object of operator fields, those of `crawl` nested.
 * Omitted fields stay; null resets a field to its default.
 * @throws InputError for a field that operators cannot set, an invalid value, or an `addedAt` in the future
 */
export function applySourceChange(stored: Fields, change: unknown, now: Date): Source {
  const value = structuredClone(stored);
  for (const [path, wanted] of leavesOf(change)) {
    assertOperatorField(path, wanted);
    setField(value, path, wanted ?? undefined);
  }
  const changed = parseInput(source, value);
  const { addedAt } = changed;
  // The day may have begun already in the operator's time zone.
  if (addedAt !== undefined && addedAt !== stored.addedAt && Date.parse(addedAt) > now.getTime() + dayMs) {
    throw new InputError(
      "addedAt",
      addedAt,
      "must not be in the future: the source could not become overdue until then",
    );
  }
  return changed;
}

function leavesOf(change: unknown): [path: string, wanted: unknown][] {
  if (!isObject(change)) throw new InputError("(whole)", change, "must be an object of fields");
  return Object.entries(change).flatMap(([field, wanted]): [string, unknown][] =>
    field === "crawl" && isObject(wanted)
      ? Object.entries(wanted).map(([inner, one]) => [`crawl.${inner}`, one])
      : [[field, wanted]],
  );
}

function assertOperatorField(path: string, wanted: unknown): void {
  if (settablePaths.includes(path)) return;
  const [field = "", inner] = path.split(".");
  const isKnown = Object.hasOwn(inner === undefined ? source.shape : crawlFields, inner ?? field);
  const problem = isKnown
    ? "comes from the configuration file: change it there, and import it"
    : "there is no such field of a source";
  throw new InputError(path, wanted, `${problem}; operators can set ${settablePaths.join(", ")}`);
}

const crawlFields = source.shape.crawl.unwrap().shape;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
