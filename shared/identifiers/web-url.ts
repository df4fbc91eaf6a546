/** An address made absolute, without credentials: it will be published. Undefined when it is none, or not of the web. */
export function parseWebUrl(address: string | undefined, base?: string): URL | undefined {
  const url = address?.trim() ? URL.parse(address.trim(), base) : null;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  // Setting them, even to nothing, has the whole URL written anew.
  if (url.username !== "") url.username = "";
  if (url.password !== "") url.password = "";
  return url;
}
