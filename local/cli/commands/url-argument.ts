import { InputError } from "../../../shared/core/errors.ts";

/** @throws InputError when the text is not an http or https URL */
export function parseUrlArgument(argument: string, text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(argument, text, "must be an http or https URL");
  }
  return url;
}
