import { isDeepStrictEqual } from "node:util";
import { InputError } from "../core/errors.ts";
import { parsedInput } from "../core/problems.ts";
import { type Collection, collection } from "../links/fate/collection.ts";
import type { Fate, FateStatus } from "../links/fate/fate.ts";

/** What is told of a collection beside what a `PUT` says, and what changes it. */
const toldBeside = [
  ["collectionId", "the path has it"],
  ["hold", "/hold and /release set it"],
  ["status", "checks, /hold, /release and /restore do"],
  ["fate", "checks and /restore do"],
] as const;

const changeable = collection.omit({ hold: true });

/**
 * What a `PUT` says of a collection. What is told of one may be put back as it is: where it stands may be among it, as long
 * as it stands so.
 * @param stands the collection as it is told now; one that there is not yet is neither held nor suppressed
 * @throws InputError that names the first field that is wrong, its value and what is wrong with it
 */
export function changedCollection(
  given: unknown,
  stands: Pick<Collection, "collectionId" | "hold"> & { status: FateStatus; fate?: Fate },
): Omit<Collection, "hold"> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new InputError("body", given, "must be an object");
  }
  const wanted: Record<string, unknown> = { ...given };
  for (const [name, how] of toldBeside) {
    if (name in given && !isDeepStrictEqual(wanted[name], stands[name])) {
      const problem = `a PUT does not change it (${how}): leave it out, or as it is`;
      throw new InputError(name, wanted[name], problem);
    }
    delete wanted[name];
  }
  return parsedInput(changeable, { ...wanted, collectionId: stands.collectionId });
}
