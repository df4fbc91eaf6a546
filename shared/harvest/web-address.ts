/** An address made absolute; undefined when it is none, or not of the web. */
export function webUrl(address: string | undefined, base?: string): URL | undefined {
  const url = address?.trim() ? URL.parse(address.trim(), base) : null;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined;
}
