import { gunzipIfPacked } from "../../web/encoding/gunzip.ts";
import type { LinkReader } from "./found-link.ts";

interface LinkFormat {
  /** Endings of file names, in lower case. */
  endings: readonly string[];
  /** Whether a file begins as this format does; a byte order mark and white space are removed. */
  recognise(start: string): boolean;
  /** Loads its reader: the code of all of them is much, and a run needs that of one. */
  load(): Promise<LinkReader>;
}

/**
 * Every format of which links are read. The beginning of a file takes precedence over its name, where it is certain.
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

/** The format of a file, by what it begins with and by its name. A file that nothing speaks for is a list of links. */
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
