import { InputError } from "../core/errors.ts";

/** @throws InputError for what is no record's id */
export function recordIdOf(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new InputError("id", id, "must be 1 to 64 letters, digits, - or _");
  return id;
}
