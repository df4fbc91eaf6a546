import { InputError } from "../../../../shared/core/errors.ts";

/** Parses a whole number. @throws InputError when the text is not a whole number, or out of bounds */
export function checkNumber(
  field: string,
  given: unknown,
  { number, min, max }: { number: number; min: number; max: number },
): number {
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new InputError(field, given, `must be a whole number from ${min} to ${max}`);
}

/** Parses a choice. @throws InputError when the text is not one of the choices */
export function checkChoice(
  field: string,
  text: string,
  { choices }: { choices: readonly string[] },
): string {
  if (choices.includes(text)) return text;
  throw new InputError(field, text, `must be one of ${choices.join(", ")}`);
}
