import type { Link, PageParts } from "./page-parts.ts";
import { resolveUrl } from "./resolve-url.ts";

/** A link to a record in a supported format. */
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

/** Unspecific media types. EPrints uses them for all exports. */
const vagueMediaTypes: ReadonlySet<string> = new Set(["", "text/plain", "application/octet-stream"]);

/** Formats by the title of a link or the ending of its URL. */
const formatsByName: readonly [RegExp, RegExp, LinkedMetadata["format"]][] = [
  [/^(?:ris|reference manager)$/, /\.ris$/i, "ris"],
  [/^bibtex$/, /\.bib$/i, "bibtex"],
];

/**
 * Finds the records to which a page links: alternates and, if the page has exactly one unAPI id, the unAPI record.
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
  // Several ids belong to a list, and the page's own id among them is unknown.
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
