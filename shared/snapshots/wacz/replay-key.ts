/**
 * The key by which the replay component wabac asks the index of a WACZ package. It differs from `surt`: end slashes, empty
 * segments, escapes and session ids stay.
 * @param url one that cannot be parsed is its own key
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
