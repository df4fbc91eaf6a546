import type { PageParts } from "./parts.ts";
import { resolveUrl } from "./web-address.ts";

export interface LinkedRecord {
  kind: "ris" | "bibtex" | "endnote" | "mods" | "csl-json" | "unapi";
  url: string;
}

const KINDS = new Map<string, LinkedRecord["kind"]>([
  ["application/x-research-info-systems", "ris"],
  ["application/x-bibtex", "bibtex"],
  ["text/x-bibtex", "bibtex"],
  ["application/x-endnote-refer", "endnote"],
  ["application/mods+xml", "mods"],
  ["application/vnd.citationstyles.csl+json", "csl-json"],
]);

/**
 * The records of the article that a page offers elsewhere: linked alternates, and what an unAPI server has under the
 * page's first identifier.
 * @see http://unapi.info/specs/
 */
export function findLinkedRecords({ links, unapiIds }: PageParts, base: string): LinkedRecord[] {
  const records = links.flatMap(({ rel, mediaType, url }): LinkedRecord[] => {
    const kind = rel.includes("alternate") || rel.includes("describedby") ? KINDS.get(mediaType) : undefined;
    const resolved = resolveUrl(url, base);
    return kind === undefined || resolved === undefined ? [] : [{ kind, url: resolved }];
  });
  const server = resolveUrl(links.find((link) => link.rel.includes("unapi-server"))?.url, base);
  const [id] = unapiIds;
  if (server === undefined || id === undefined) return records;
  const unapi = new URL(server);
  unapi.searchParams.set("id", id);
  return [...records, { kind: "unapi", url: unapi.href }];
}
