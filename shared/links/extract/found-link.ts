import { withoutCredentials } from "../../core/url-credentials.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";

/** A place in a file. Lines and columns count from 1; columns count UTF-16 units, as in editors and SARIF. */
export interface LinkPlace {
  line: number;
  column: number;
  /** In a MARC file, the record's control number or, if that is missing, the record's position in the file. */
  record?: string;
}

/** A link with its position in a file. */
export interface FoundLink extends LinkPlace {
  /** The URL, without user name and password. */
  url: string;
  /** Set for a sitemap that a sitemap index lists: the links of that sitemap are wanted, too. */
  isSitemap?: true;
}

/** The result of reading a format: the links in the order of the file, or the reason why they cannot be read. */
export type LinkReading =
  | {
      type: "links";
      links: FoundLink[];
      /** The number of relative links that cannot be resolved because no base address is known. */
      unresolved: number;
    }
  /** `detail` is a predicate whose subject is the file, such as "has no MARCXML record". */
  | { type: "unreadable"; detail: string };

export interface LinkReaderOptions {
  /** The address that relative links are relative to, such as the address of the page. */
  base?: string | undefined;
}

/** Reads the links of one format. */
export type LinkReader = (bytes: Uint8Array, options: LinkReaderOptions) => LinkReading;

/**
 * The interpretation of a reference in a document. Schemes other than http and https (mailto, javascript, data) do not
 * link to pages.
 */
type Reference = { type: "link"; url: string } | { type: "unresolved" } | { type: "other" };

/** Resolves a reference of a document. Only http and https URLs are links. The fragment is kept. */
export function resolveReference(text: string, base: string | undefined): Reference {
  const reference = text.trim();
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) {
    if (!/^https?:/i.test(reference)) return { type: "other" };
    // The check reports a broken address, because the check knows its place.
    return { type: "link", url: parseWebUrl(reference)?.href ?? withoutCredentials(reference) };
  }
  if (reference === "") return { type: "other" };
  const url = base === undefined ? undefined : parseWebUrl(reference, base);
  return url === undefined ? { type: "unresolved" } : { type: "link", url: url.href };
}

/** Gathers the links of a document. */
export class LinkGatherer {
  readonly links: FoundLink[] = [];
  private unresolved = 0;

  add(reference: string, place: LinkPlace, base: string | undefined): void {
    const resolved = resolveReference(reference, base);
    if (resolved.type === "link") this.links.push({ url: resolved.url, ...place });
    else if (resolved.type === "unresolved") this.unresolved++;
  }

  finish(): LinkReading {
    return { type: "links", links: this.links, unresolved: this.unresolved };
  }
}
