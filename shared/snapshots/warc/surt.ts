import { domainToASCII } from "node:url";

/**
 * Returns the Sort-friendly URI Reordering Transform of a URL, without its scheme: `com,example)/path?query`.
 * It is the key in an index of captures, and equals that of the Python package `surt`, by which pywb looks up
 * captures. The implementation works on bytes, with one character per byte.
 * @param url an http or https URL; one that cannot be parsed is returned unchanged
 * @see http://crawler.archive.org/articles/user_manual/glossary.html#surt
 */
export function surt(url: string): string {
  const bytes = Buffer.from(url.trim().replaceAll(/[\t\n\r]/g, ""), "utf8").toString("latin1");
  const parts = /^(https?):\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?([^?#]*)(?:\?([^#]*))?/i.exec(
    bytes,
  );
  if (parts === null) return bytes.replaceAll(" ", "%20");
  const [, scheme = "", host = "", port = "", path = "", query = ""] = parts;
  const isDefaultPort = port === "" || port === (scheme.toLowerCase() === "https" ? "443" : "80");
  const search = queryKey(query);
  return `${hostKey(host)}${isDefaultPort ? "" : `:${port}`})${pathKey(path)}${search === "" ? "" : `?${search}`}`;
}

/**
 * Returns the labels in reverse order, without `www.` or `www1.`; for an IPv6 address, the address without
 * brackets.
 */
function hostKey(host: string): string {
  if (host.startsWith("[")) return host.slice(1, -1).toLowerCase();
  const name = Buffer.from(unescapeRepeatedly(host), "latin1").toString("utf8");
  const ascii = (domainToASCII(name) || escapeOnce(name)).toLowerCase();
  const labels = ascii.replaceAll("..", ".").replaceAll(/^\.+|\.+$/g, "");
  return labels
    .replace(/^www\d*\./, "")
    .split(".")
    .reverse()
    .join(",");
}

/** Returns the path without dot segments, empty segments, a trailing slash and ASP.NET session ids. */
function pathKey(path: string): string {
  const segments: string[] = [];
  const given = unescapeRepeatedly(path).split("/").slice(1);
  for (const segment of given) {
    if (segment === ".." && segments.length > 0) segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  const last = segments.pop() ?? "";
  const kept = [...segments.filter((segment) => segment !== ""), last];
  let key = escapeOnce(`/${kept.join("/")}`).toLowerCase();
  for (const session of pathSessions) key = key.replace(session, "$1$2");
  return key.length > 1 && key.endsWith("/") ? key.slice(0, -1) : key;
}

const pathSessions = [
  /^(.*\/)\((?:[a-z]\([0-9a-z]{24}\))+\)\/([^?]+\.aspx.*)$/i,
  /^(.*\/)\([0-9a-z]{24}\)\/([^?]+\.aspx.*)$/i,
];

/** Returns the query ordered by names and values, without session ids. */
function queryKey(query: string): string {
  let key = escapeOnce(unescapeRepeatedly(query));
  for (const session of querySessions) key = key.replace(session, "$1$2");
  return key
    .toLowerCase()
    .split("&")
    .map((argument): [string, string] => {
      const equals = argument.indexOf("=");
      return equals < 0 ? [argument, ""] : [argument.slice(0, equals), argument.slice(equals)];
    })
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => name + value)
    .join("&");
}

const querySessions = [
  /^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$/i,
  /^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$/i,
  /^(.*)sid=[0-9a-z]{32}(?:&(.*))?$/i,
  /^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$/i,
  /^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$/i,
];

function unescapeRepeatedly(text: string): string {
  for (let before = text; ; ) {
    const after = before.replaceAll(/%([0-9a-f]{2})/gi, (_escape, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (after === before) return after;
    before = after;
  }
}

/** Escapes control characters, spaces, `#`, `%` and non-ASCII characters. */
function escapeOnce(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
    /[\x00-\x20#%\x7f-\uffff]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** Compares by UTF-16 code units. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
