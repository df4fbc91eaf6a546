import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { CopyPlace } from "../../../shared/adapters/aws/copy-items.ts";
import { InputError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";

/** The key of an item. Binary keys are encoded as base64. */
const key = z.record(
  z.string(),
  z.union([
    z.strictObject({ S: z.string() }),
    z.strictObject({ N: z.string() }),
    z.strictObject({ B: z.base64() }),
  ]),
);

const stored = z.strictObject({
  copy: z.record(z.string(), z.unknown()),
  place: z.strictObject({
    read: z.int().nonnegative(),
    written: z.int().nonnegative(),
    segments: z.array(z.strictObject({ after: key.optional(), isDone: z.boolean() })).min(1),
  }),
});

/**
 * The position of a copy, stored in a file so that the same command resumes the copy.
 * @param copy the tables of the copy; the position of a copy between other tables is refused
 * @throws InputError if the file does not contain the position of this copy
 */
export function copyPlace(path: string, copy: Record<string, unknown>) {
  return {
    load(): CopyPlace | undefined {
      const text = readIfThere(path);
      if (text === undefined) return undefined;
      const { data } = stored.safeParse(parseJson(text));
      if (data === undefined) throw new InputError("--resume", path, "does not store the position of a copy");
      if (!isDeepStrictEqual(data.copy, JSON.parse(JSON.stringify(copy)))) {
        throw new InputError(
          "--resume",
          path,
          "stores the position of a different copy; name another file, or delete this one",
        );
      }
      const segments = data.place.segments.map(({ after, isDone }) => ({
        isDone,
        ...(after && {
          after: mapValues(after, (value) => ("B" in value ? { B: Buffer.from(value.B, "base64") } : value)),
        }),
      }));
      return { ...data.place, segments } as CopyPlace;
    },
    save(place: CopyPlace): void {
      const segments = place.segments.map(({ after, isDone }) => ({
        isDone,
        ...(after && {
          after: mapValues(after, (value) =>
            value.B ? { B: Buffer.from(value.B).toString("base64") } : value,
          ),
        }),
      }));
      // The file is replaced atomically, because the process may be killed here.
      writeFileSync(`${path}.new`, JSON.stringify({ copy, place: { ...place, segments } }));
      renameSync(`${path}.new`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

function mapValues<Value, Mapped>(of: Record<string, Value>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new InputError("--resume", path, `cannot be read: ${(error as Error).message}`);
  }
}
