import type { Link, PageParts } from "./parts.ts";
import { resolveUrl } from "./web-address.ts";

/** A record in a format that is read. */
export interface LinkedRecord {
  kind: "unapi" | "mods" | "ris" | "bibtex";
  url: string;
}

const KINDS = new Map<string, LinkedRecord["kind"]>([
  ["application/x-research-info-systems", "ris"],
  ["application/x-bibtex", "bibtex"],
  ["text/x-bibtex", "bibtex"],
  ["application/mods+xml", "mods"],
]);

/** Media types that say no more than that there is a file; EPrints serves all its exports as one. */
const VAGUE: ReadonlySet<string> = new Set(["", "text/plain", "application/octet-stream"]);

/** By the title of a link, or by the ending of its address. */
const KINDS_BY_NAME: readonly [RegExp, RegExp, LinkedRecord["kind"]][] = [
  [/^(?:ris|reference manager)$/, /\.ris$/i, "ris"],
  [/^bibtex$/, /\.bib$/i, "bibtex"],
];

/**
 * The records of the article that a page offers elsewhere: linked alternates, and what an unAPI server has under the
 * page's only identifier.
 * @see http://unapi.info/specs/
 */
export function findLinkedRecords({ links, unapiIds }: PageParts, base: string): LinkedRecord[] {
  const records = links.flatMap((link): LinkedRecord[] => {
    const { rel, url } = link;
    const kind = rel.includes("alternate") || rel.includes("describedby") ? kindOf(link) : undefined;
    const resolved = resolveUrl(url, base);
    return kind === undefined || resolved === undefined ? [] : [{ kind, url: resolved }];
  });
  const server = resolveUrl(links.find((link) => link.rel.includes("unapi-server"))?.url, base);
  const [id, ...others] = new Set(unapiIds);
  // Several are a list's, and none of them says which is the page's own.
  if (server === undefined || id === undefined || others.length > 0) return records;
  const unapi = new URL(server);
  unapi.searchParams.set("id", id);
  return [...records, { kind: "unapi", url: unapi.href }];
}

function kindOf({ mediaType, title, url }: Link): LinkedRecord["kind"] | undefined {
  if (!VAGUE.has(mediaType)) return KINDS.get(mediaType);
  const path = url.split(/[?#]/)[0] ?? "";
  return KINDS_BY_NAME.find(([name, ending]) => name.test(title) || ending.test(path))?.[2];
}
