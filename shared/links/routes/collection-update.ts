import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { InputError } from "../../core/errors.ts";
import { shapeOf } from "../../core/field-table.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { type Collection, collection } from "../status/collection.ts";
import { collectionFields } from "../status/collection-fields.ts";
import type { LinkStatus, LinkStatusValue } from "../status/link-status.ts";

/** The read-only fields, each with the way to change it. */
const readOnlyFields = [
  ["collectionId", "the path has it"],
  ["hold", "/hold and /release set it"],
  ["status", "checks, /hold, /release and /restore do"],
  ["linkStatus", "checks and /restore do"],
] as const;

// The path contains the id, and only the actions `hold` and `release` change the hold.
const { collectionId: _id, hold: _hold, ...fields } = collectionFields;

/** The fields that a `PUT` sets. */
export const collectionUpdate = { fields, body: z.strictObject(shapeOf(fields)) };

const updated = collection.omit({ hold: true });

/**
 * Parses the body of a `PUT`. Read-only fields are accepted if they are unchanged.
 * @param current the collection as `GET` returns it now; a new collection is neither held nor suppressed
 * @throws InputError that names the first invalid field, its value and the problem
 */
export function parseCollectionUpdate(
  given: unknown,
  current: Pick<Collection, "collectionId" | "hold"> & { status: LinkStatusValue; linkStatus?: LinkStatus },
): Omit<Collection, "hold"> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new InputError("body", given, "must be an object");
  }
  const update: Record<string, unknown> = { ...given };
  for (const [name, how] of readOnlyFields) {
    if (name in given && !isDeepStrictEqual(update[name], current[name])) {
      const problem = `a PUT does not change it (${how}): omit it or leave it unchanged`;
      throw new InputError(name, update[name], problem);
    }
    delete update[name];
  }
  return parseInput(updated, { ...update, collectionId: current.collectionId });
}
