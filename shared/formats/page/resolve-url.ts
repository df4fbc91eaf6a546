import { parseWebUrl } from "../../identifiers/web-url.ts";

/**
 * Resolves a URL in a page, without its fragment.
 * @returns undefined when the result is not an http or https URL
 */
export function resolveUrl(reference: string | undefined, base: string): string | undefined {
  const url = parseWebUrl(reference, base);
  if (url === undefined) return undefined;
  url.hash = "";
  return url.href;
}
