import type { NotAFeed, NotAFeedReason } from "./feed-result.ts";

/** What the operator can do about each reason. */
const advice: Readonly<Record<NotAFeedReason, string>> = {
  empty:
    "Open the URL in a browser. If it is empty there too, ask the publisher or look for the journal's current feed.",
  html: "The feed has probably moved, or the site shows a login or a bot check: look for the journal's current feed URL.",
  truncated: "Nothing of it was used. If this happens again, tell the publisher that the feed is truncated.",
  "too-large": "Check that the URL is the feed of one journal.",
  encoding: "Tell the publisher that the feed's stated encoding is wrong.",
  "not-well-formed": "Tell the publisher; a feed validator (validator.w3.org/feed) shows the fault.",
  "unknown-format": "Check the source's URL and type.",
};

/** Other XML formats that are configured as feeds by mistake, by their root element. */
const otherVocabularies: ReadonlyMap<string, string> = new Map([
  ["OAI-PMH", "an OAI-PMH response"],
  ["urlset", "a sitemap"],
  ["sitemapindex", "an index of sitemaps"],
  ["opml", "a list of feeds (OPML)"],
  ["Error", "an error message in XML"],
]);

const htmlTag = /^(?:html|head|body|title|meta|link|script|style|h[1-6]|p|div|span|center|table|br|b|a)$/i;

export function buildNotAFeed(reason: NotAFeedReason, problem: string): NotAFeed {
  return { type: "not-a-feed", reason, detail: `${problem} ${advice[reason]}` };
}

/**
 * Returns the result for a web page.
 * @returns undefined when the text does not start like HTML
 */
export function detectHtml(text: string): NotAFeed | undefined {
  const tag = firstTag(text);
  if (tag === undefined || !htmlTag.test(tag)) return undefined;
  const title = /<title\b[^<>]*>([^<]{1,200})/i.exec(text)?.[1]?.replace(/\s+/g, " ").trim();
  return buildNotAFeed("html", `The URL returned a web page${title ? ` ("${title}")` : ""}, not a feed.`);
}

/** The result for a text that is neither a feed nor a web page. */
export function describeUnknownFormat(text: string): NotAFeed {
  const tag = firstTag(text);
  if (tag === undefined) {
    return buildNotAFeed("unknown-format", "The URL returned neither XML nor a JSON Feed.");
  }
  const other = otherVocabularies.get(tag.replace(/^.*:/, "")) ?? "other XML";
  return buildNotAFeed("unknown-format", `The URL returned ${other} (<${tag}>), not RSS or Atom.`);
}

/**
 * Returns the name of the first element. The document type is ignored, because some templates put the document type of
 * XHTML above RSS.
 */
function firstTag(text: string): string | undefined {
  const start = text.slice(0, 20_000).replace(/<!--(?:[\s\S]*?-->|[\s\S]*$)/g, "");
  return /<([a-z][\w:.-]*)/i.exec(start)?.[1];
}
