import { withoutCredentials } from "../../core/url-credentials.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";

/** A place in a file, counted from 1; columns in UTF-16 units, as editors and SARIF count them. */
export interface LinkPlace {
  line: number;
  column: number;
  /** In a MARC file, the record's control number, or else its position in the file. */
  record?: string;
}

/** A link with its position in a file. */
export interface FoundLink extends LinkPlace {
  /** Without user name and password. */
  url: string;
  /** A sitemap that an index names: its links are wanted, too. */
  isSitemap?: true;
}

/** What a reader of a format yields: links in the order of the file, or why there are none. */
export type LinkReading =
  | {
      type: "links";
      links: FoundLink[];
      /** Relative links without an address that they are relative to. */
      unresolved: number;
    }
  /** `detail` continues a sentence about the file. */
  | { type: "unreadable"; detail: string };

export interface LinkReaderOptions {
  /** The address that relative links are relative to, such as that of the page. */
  base?: string | undefined;
}

/** Reads the links of one format. */
export type LinkReader = (bytes: Uint8Array, options: LinkReaderOptions) => LinkReading;

/** How a reference in a document is understood. Other schemes (mailto, javascript, data) are not links to pages. */
type Reference = { type: "link"; url: string } | { type: "unresolved" } | { type: "other" };

/** Resolves a reference of a document; only http and https count. The fragment stays. */
export function resolveReference(text: string, base: string | undefined): Reference {
  const reference = text.trim();
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) {
    if (!/^https?:/i.test(reference)) return { type: "other" };
    // A broken address is reported by the check, where its place is known.
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
