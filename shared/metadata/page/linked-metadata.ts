import type { Link, PageParts } from "./page-parts.ts";
import { resolveUrl } from "./resolve-url.ts";

/** A record in a format that is read. */
export interface LinkedMetadata {
  format: "unapi" | "mods" | "ris" | "bibtex";
  url: string;
}

const formatsByMediaType = new Map<string, LinkedMetadata["format"]>([
  ["application/x-research-info-systems", "ris"],
  ["application/x-bibtex", "bibtex"],
  ["text/x-bibtex", "bibtex"],
  ["application/mods+xml", "mods"],
]);

/** Media types that say no more than that there is a file; EPrints serves all its exports as one. */
const vagueMediaTypes: ReadonlySet<string> = new Set(["", "text/plain", "application/octet-stream"]);

/** By the title of a link, or by the ending of its address. */
const formatsByName: readonly [RegExp, RegExp, LinkedMetadata["format"]][] = [
  [/^(?:ris|reference manager)$/, /\.ris$/i, "ris"],
  [/^bibtex$/, /\.bib$/i, "bibtex"],
];

/**
 * The records of the article that a page offers elsewhere: linked alternates, and what an unAPI server has under the
 * page's only identifier.
 * @see http://unapi.info/specs/
 */
export function findLinkedMetadata({ links, unapiIds }: PageParts, base: string): LinkedMetadata[] {
  const records = links.flatMap((link): LinkedMetadata[] => {
    const { rel, url } = link;
    const format = rel.includes("alternate") || rel.includes("describedby") ? formatOf(link) : undefined;
    const resolved = resolveUrl(url, base);
    return format === undefined || resolved === undefined ? [] : [{ format, url: resolved }];
  });
  const server = resolveUrl(links.find((link) => link.rel.includes("unapi-server"))?.url, base);
  const [id, ...others] = new Set(unapiIds);
  // Several are a list's, and none of them says which is the page's own.
  if (server === undefined || id === undefined || others.length > 0) return records;
  const unapi = new URL(server);
  unapi.searchParams.set("id", id);
  return [...records, { format: "unapi", url: unapi.href }];
}

function formatOf({ mediaType, title, url }: Link): LinkedMetadata["format"] | undefined {
  if (!vagueMediaTypes.has(mediaType)) return formatsByMediaType.get(mediaType);
  const path = url.split(/[?#]/)[0] ?? "";
  return formatsByName.find(([name, ending]) => name.test(title) || ending.test(path))?.[2];
}
