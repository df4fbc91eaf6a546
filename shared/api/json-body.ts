import { InputError } from "../core/errors.ts";

/** @throws InputError for a body that is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError("body", text, "is not JSON");
  }
}
