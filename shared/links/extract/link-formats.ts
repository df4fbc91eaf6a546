import { gunzipIfPacked } from "../../web/encoding/gunzip.ts";
import type { LinkReader } from "./found-link.ts";

interface LinkFormat {
  /** File name extensions, in lower case. */
  endings: readonly string[];
  /** Returns whether a file begins like this format. `start` has no byte order mark and no leading white space. */
  recognise(start: string): boolean;
  /** Loads the reader of this format. Readers are loaded on demand because a run needs only one of them. */
  load(): Promise<LinkReader>;
}

/**
 * Every format from which links can be read. When the beginning of a file identifies its format, that takes precedence
 * over the file name.
 */
const formats = {
  sitemap: {
    endings: [],
    recognise: (start) => isXml(start) && /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(start),
    load: async () => (await import("./sitemap-links.ts")).readSitemapLinks,
  },
  marcxml: {
    endings: [".marcxml"],
    recognise: (start) => isXml(start) && /MARC21\/slim|<(?:\w+:)?(?:collection|record)[\s>]/.test(start),
    load: async () => (await import("./marcxml-links.ts")).readMarcXmlLinks,
  },
  iso2709: {
    endings: [".mrc", ".marc", ".iso2709"],
    recognise: (start) => /^\d{5}[acdnposx][\x20-\x7e]{4}22\d{5}/.test(start),
    load: async () => (await import("./iso2709-links.ts")).readIso2709Links,
  },
  html: {
    endings: [".html", ".htm", ".xhtml"],
    recognise: (start) => /^<!doctype html|^<html[\s>]/i.test(start),
    load: async () => (await import("./html-links.ts")).readHtmlLinks,
  },
  markdown: {
    endings: [".md", ".markdown", ".mdx"],
    recognise: () => false,
    load: async () => (await import("./markdown-links.ts")).readMarkdownLinks,
  },
  csv: {
    endings: [".csv", ".tsv"],
    recognise: () => false,
    load: async () => (await import("./csv-links.ts")).readCsvLinks,
  },
  list: {
    endings: [],
    recognise: () => false,
    load: async () => (await import("./link-list.ts")).readLinkList,
  },
} satisfies Record<string, LinkFormat>;

export type LinkFormatName = keyof typeof formats;

export const linkFormatNames = Object.keys(formats) as [LinkFormatName, ...LinkFormatName[]];

export function linkReaderOf(name: LinkFormatName): Promise<LinkReader> {
  return formats[name].load();
}

const startBytes = 4096;

/**
 * Detects the format of a file by its beginning and its name. A file that matches no format counts as a list of links.
 */
export function detectLinkFormat(bytes: Uint8Array, name: string): LinkFormatName {
  const unpacked = gunzipIfPacked(bytes, 64 * 1024 * 1024);
  const content = unpacked.type === "bytes" ? unpacked.bytes : bytes;
  const start = new TextDecoder()
    .decode(content.subarray(0, startBytes))
    .replace(/^\ufeff/, "")
    .trimStart();
  const file = name.toLowerCase();
  const entries = Object.entries<LinkFormat>(formats) as [LinkFormatName, LinkFormat][];
  const certain = entries.find(([, { recognise }]) => recognise(start));
  const named = entries.find(([, { endings }]) => endings.some((ending) => file.endsWith(ending)));
  return (certain ?? named)?.[0] ?? "list";
}

function isXml(start: string): boolean {
  return start.startsWith("<");
}
