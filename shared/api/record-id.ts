import { InputError } from "../core/errors.ts";

/** What a record's id looks like, also where it says where a page begins. */
export const recordIdPattern = /^[\w-]{1,64}$/;

/** @throws InputError for what is no record's id */
export function parseRecordId(id: string): string {
  if (!recordIdPattern.test(id)) throw new InputError("id", id, "must be 1 to 64 letters, digits, - or _");
  return id;
}
