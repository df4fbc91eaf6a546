import { parseFeed } from "../../formats/feed/parse-feed.ts";
import type { Vocabulary } from "../../formats/merge/merge-metadata.ts";
import { parseOaiPage } from "../../formats/oai/parse-page.ts";
import { decodePage } from "../../formats/page/decode-page.ts";
import { parsePage } from "../../formats/page/read-page.ts";
import { plainText } from "../../formats/plain-text.ts";
import { parseSitemap } from "../../formats/sitemap.ts";
import { findOfferedLists } from "./offered-lists.ts";

/** The kind of a response, as a possible source of articles. */
export type Recognised =
  | { type: "oai-pmh"; title?: string }
  | { type: "feed"; title?: string; entries: number }
  | { type: "sitemap"; pages: number }
  /** The page of one article. */
  | { type: "article"; title?: string }
  /** Any other page, with the lists that it offers. */
  | { type: "page"; title?: string; lists: URL[] }
  | { type: "unknown"; detail: string };

/**
 * The vocabularies that describe an article. The vocabularies of search engines and social networks also describe home
 * pages.
 */
const ofArticles: readonly Vocabulary[] = ["unapi", "highwire", "prism", "eprints", "coins"];

/**
 * Recognises a response.
 * @param from.url the URL after redirects
 */
export function recognise(
  bytes: Uint8Array,
  from: { url: string; contentType?: string | undefined },
): Recognised {
  const feed = parseFeed(bytes, from);
  if (feed.type === "feed") return { type: "feed", ...titled(feed.title), entries: feed.entries.length };
  if (feed.reason === "html") return recognisePage(bytes, from);
  const oai = parseOaiPage(bytes, { contentType: from.contentType });
  if (oai.type === "page") return { type: "oai-pmh", ...titled(oai.page.identity?.repositoryName) };
  const sitemap = parseSitemap(bytes, from.url);
  if (sitemap.type !== "not-a-sitemap") return { type: "sitemap", pages: sitemap.urls.length };
  return { type: "unknown", detail: feed.detail };
}

function recognisePage(bytes: Uint8Array, from: Parameters<typeof recognise>[1]): Recognised {
  const parsed = parsePage(bytes, from);
  if (parsed.type !== "parsed") return { type: "unknown", detail: parsed.detail };
  const { metadata, base, parts } = parsed;
  const title = titled(plainText(parts.title));
  const isArticle = ofArticles.some((vocabulary) => metadata[vocabulary]?.title !== undefined);
  if (isArticle) return { type: "article", ...title };
  return { type: "page", ...title, lists: listsOf(bytes, from, base) };
}

function listsOf(
  bytes: Uint8Array,
  { contentType }: { contentType?: string | undefined },
  base: string,
): URL[] {
  const decoded = decodePage(bytes, contentType);
  return decoded.type === "text" ? findOfferedLists(decoded.text, base) : [];
}

function titled(title: string | undefined): { title?: string } {
  const text = title?.replaceAll(/\s+/g, " ").trim();
  return text === undefined || text === "" ? {} : { title: text.slice(0, 300) };
}
