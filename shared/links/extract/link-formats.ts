import { gunzipIfPacked } from "../../web/encoding/gunzip.ts";
import { readCsvLinks } from "./csv-links.ts";
import type { LinkReader } from "./found-link.ts";
import { readHtmlLinks } from "./html-links.ts";
import { readIso2709Links } from "./iso2709-links.ts";
import { readLinkList } from "./link-list.ts";
import { readMarcXmlLinks } from "./marcxml-links.ts";
import { readMarkdownLinks } from "./markdown-links.ts";
import { readSitemapLinks } from "./sitemap-links.ts";

interface LinkFormat {
  /** Endings of file names, in lower case. */
  endings: readonly string[];
  /** Whether a file begins as this format does; a byte order mark and white space are removed. */
  recognise(start: string): boolean;
  read: LinkReader;
}

/** Every format of which links are read. What a file begins with counts more than its name, where it is certain. */
const formats = {
  sitemap: {
    endings: [],
    recognise: (start) => isXml(start) && /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(start),
    read: readSitemapLinks,
  },
  marcxml: {
    endings: [".marcxml"],
    recognise: (start) => isXml(start) && /MARC21\/slim|<(?:\w+:)?(?:collection|record)[\s>]/.test(start),
    read: readMarcXmlLinks,
  },
  iso2709: {
    endings: [".mrc", ".marc", ".iso2709"],
    recognise: (start) => /^\d{5}[acdnposx][\x20-\x7e]{4}22\d{5}/.test(start),
    read: readIso2709Links,
  },
  html: {
    endings: [".html", ".htm", ".xhtml"],
    recognise: (start) => /^<!doctype html|^<html[\s>]/i.test(start),
    read: readHtmlLinks,
  },
  markdown: { endings: [".md", ".markdown", ".mdx"], recognise: () => false, read: readMarkdownLinks },
  csv: { endings: [".csv", ".tsv"], recognise: () => false, read: readCsvLinks },
  list: { endings: [], recognise: () => false, read: readLinkList },
} satisfies Record<string, LinkFormat>;

export type LinkFormatName = keyof typeof formats;

export const linkFormatNames = Object.keys(formats) as [LinkFormatName, ...LinkFormatName[]];

export function linkReaderOf(name: LinkFormatName): LinkReader {
  return formats[name].read;
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
