import { withoutCredentials } from "../../core/url-credentials.ts";
import type { FoundLink, LinkReading } from "./found-link.ts";
import { decodeLinkText } from "./link-text.ts";

/**
 * Matches a URL of any scheme, because the check reports which schemes it refuses. A host with a port
 * (`example.org:80`) is not a URL.
 */
const absoluteUrl = /^[a-z][a-z0-9+.-]*:(?!\d)\S/i;

/**
 * Reads one URL per line. Blank lines and lines that begin with `#` are ignored. A line that is not a URL is still a
 * link: the check refuses it and reports the line. A text in which most lines are not URLs is not a list.
 */
export function readLinkList(bytes: Uint8Array): LinkReading {
  const decoded = decodeLinkText(bytes);
  if (decoded.type === "unreadable") return decoded;
  const links: FoundLink[] = [];
  let others = 0;
  let firstOther: FoundLink | undefined;
  let line = 0;
  for (const text of decoded.text.split(/\r\n?|\n/)) {
    line++;
    const url = text.trim();
    if (url === "" || url.startsWith("#")) continue;
    const link = { url: withoutCredentials(url), line, column: text.length - text.trimStart().length + 1 };
    links.push(link);
    if (absoluteUrl.test(url)) continue;
    others++;
    firstOther ??= link;
  }
  if (firstOther !== undefined && others * 2 >= links.length) {
    const { url, line: at } = firstOther;
    const start = url.length > 60 ? `${url.slice(0, 57)}...` : url;
    return { type: "unreadable", detail: `is not a list of links: line ${at} is not a URL: ${start}` };
  }
  return { type: "links", links, unresolved: 0 };
}
