import { InputError } from "../../../shared/core/errors.ts";

/**
 * Parses an option that is a whole number.
 * @throws InputError
 */
export function parseWholeNumber(
  option: string,
  text: string,
  { min = 0, max }: { min?: number; max: number },
): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new InputError(option, text, `must be a whole number from ${min} to ${max}`);
}

/**
 * Parses the delay between requests to a host, in milliseconds. The maximum is one hour. @throws InputError
 */
export function parseDelay(text: string): number {
  return parseWholeNumber("--delay", text, { max: 3_600_000 });
}
