/**
 * Returns the key by which the replay component wabac searches the index of a WACZ package. Unlike `surt`, it
 * keeps trailing slashes, empty segments, escapes and session ids.
 * @param url a URL that cannot be parsed is returned unchanged
 * @see https://github.com/webrecorder/warcio.js (`getSurt`)
 */
export function replayKey(url: string): string {
  const parsed = /^https?:/.test(url)
    ? URL.parse(url.replace(/^(https?:\/\/)www\d*\./, "$1").toLowerCase())
    : null;
  if (parsed === null) return url;
  const host = parsed.hostname.split(".").reverse().join(",");
  const port = parsed.port === "" ? "" : `:${parsed.port}`;
  const query = parsed.search === "" ? "" : `?${parsed.search.slice(1).split("&").sort().join("&")}`;
  return `${host}${port})${parsed.pathname}${query}`;
}
