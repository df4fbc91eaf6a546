import { parseWebUrl } from "../../identifiers/web-url.ts";

/** An address in a page made absolute, without its fragment; undefined when it is none, or not of the web. */
export function resolveUrl(address: string | undefined, base: string): string | undefined {
  const url = parseWebUrl(address, base);
  if (url === undefined) return undefined;
  url.hash = "";
  return url.href;
}
