import type { NotAFeed, NotAFeedReason } from "./feed-result.ts";

/** What a librarian can do about it. */
const advice: Readonly<Record<NotAFeedReason, string>> = {
  empty:
    "Open the address in a browser; if it stays empty, ask the publisher or look for the journal's present feed.",
  html: "The feed has probably moved, or the site shows a login or a bot check: look for the journal's present feed address.",
  truncated: "Nothing of it was used. If this happens again, tell the publisher that the feed is cut off.",
  "too-large": "Check that the address is the feed of one journal.",
  encoding: "Tell the publisher that the feed's stated encoding is wrong.",
  "not-well-formed": "Tell the publisher; a feed validator (validator.w3.org/feed) shows them the place.",
  "unknown-format": "Check the source's address and type.",
};

/** Other things that are put in the place of a feed's address, by their root element. */
const otherVocabularies: ReadonlyMap<string, string> = new Map([
  ["OAI-PMH", "an answer of an OAI-PMH repository"],
  ["urlset", "a sitemap"],
  ["sitemapindex", "an index of sitemaps"],
  ["opml", "a list of feeds (OPML)"],
  ["Error", "an error message in XML"],
]);

const htmlTag = /^(?:html|head|body|title|meta|link|script|style|h[1-6]|p|div|span|center|table|br|b|a)$/i;

export function buildNotAFeed(reason: NotAFeedReason, problem: string): NotAFeed {
  return { type: "not-a-feed", reason, detail: `${problem} ${advice[reason]}` };
}

/** The refusal of a web page, or undefined when the text does not start as one. */
export function detectHtml(text: string): NotAFeed | undefined {
  const tag = firstTag(text);
  if (tag === undefined || !htmlTag.test(tag)) return undefined;
  const title = /<title\b[^<>]*>([^<]{1,200})/i.exec(text)?.[1]?.replace(/\s+/g, " ").trim();
  return buildNotAFeed(
    "html",
    `The address answers with a web page${title ? ` ("${title}")` : ""}, not with a feed.`,
  );
}

/** The refusal of a text that is neither a feed nor a web page. */
export function describeUnknownFormat(text: string): NotAFeed {
  const tag = firstTag(text);
  if (tag === undefined) {
    return buildNotAFeed(
      "unknown-format",
      "The address answers with something that is neither XML nor a JSON Feed.",
    );
  }
  const other = otherVocabularies.get(tag.replace(/^.*:/, "")) ?? "XML of another kind";
  return buildNotAFeed(
    "unknown-format",
    `The address answers with ${other} (<${tag}>), not with RSS or Atom.`,
  );
}

/** The name of the first element; a document type proves nothing, since templates put XHTML's above RSS. */
function firstTag(text: string): string | undefined {
  const start = text.slice(0, 20_000).replace(/<!--(?:[\s\S]*?-->|[\s\S]*$)/g, "");
  return /<([a-z][\w:.-]*)/i.exec(start)?.[1];
}
