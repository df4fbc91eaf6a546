import { InputError } from "../core/errors.ts";

/** What a record's id looks like, also where it says where a page begins. */
export const recordId = /^[\w-]{1,64}$/;

/** @throws InputError for what is no record's id */
export function recordIdOf(id: string): string {
  if (!recordId.test(id)) throw new InputError("id", id, "must be 1 to 64 letters, digits, - or _");
  return id;
}
