/** An address in a page made absolute; undefined when it is none, or not of the web. Its fragment is dropped. */
export function resolveUrl(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.trim() === "" || !URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  url.hash = "";
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
}
