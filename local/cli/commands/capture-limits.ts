import { toJsonSchema } from "../../../shared/api/open-api.ts";
import type { FieldRow } from "../../../shared/core/field-table.ts";
import type { HarvestLimits } from "../../../shared/snapshots/definitions/definition.ts";
import { limitFields } from "../../../shared/snapshots/definitions/limit-fields.ts";
import { parseWholeNumber } from "./whole-number-option.ts";

/** The limits of a harvest that are options of `capture`, from the table of limits. */
const options = Object.entries<FieldRow>(limitFields).flatMap(([field, { schema, option }]) => {
  if (option === undefined) return [];
  const { minimum = 0, maximum = 0, ...json } = toJsonSchema(schema, "input") as Record<string, number>;
  return [{ field, ...option, min: minimum, max: option.max ?? maximum, standard: json.default }];
});

/** The limits as options of `parseArguments`. */
export const limitOptions = Object.fromEntries(
  options.map(({ name }) => [name, { type: "string" as const }]),
);

/** Returns the lines of `--help` about the limits. */
export function describeLimitOptions(): string {
  return options
    .map(({ name, help, standard }) => `  ${`--${name} N`.padEnd(18)} ${help} (default ${standard})`)
    .join("\n");
}

/** Returns all limits: those that options set, and the defaults of the others. @throws InputError */
export function readLimits(given: Readonly<Record<string, unknown>>): Omit<HarvestLimits, "maxMinutes"> {
  const limits = options.map(({ field, name, min, max, standard }) => {
    const text = given[name];
    return [field, typeof text === "string" ? parseWholeNumber(`--${name}`, text, { min, max }) : standard];
  });
  return Object.fromEntries(limits) as Omit<HarvestLimits, "maxMinutes">;
}
