/**
 * Parses an http or https URL and removes its credentials, because the URL will be published.
 * @returns undefined for any other text
 */
export function parseWebUrl(text: string | undefined, base?: string): URL | undefined {
  const url = text?.trim() ? URL.parse(text.trim(), base) : null;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  // An assignment, even of an empty string, serialises the whole URL again.
  if (url.username !== "") url.username = "";
  if (url.password !== "") url.password = "";
  return url;
}
