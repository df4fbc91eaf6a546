import { describe, expect, test } from "vitest";
import { decodeFeed } from "../../../../shared/formats/feed/decode-feed.ts";
import type { FeedFormat } from "../../../../shared/formats/feed/feed-result.ts";
import { parseFeed } from "../../../../shared/formats/feed/parse-feed.ts";
import { openCorpus } from "../../../corpus.ts";

const corpus = openCorpus("feeds");

/**
 * File, format, entries, entries dropped for want of an address, and what a strict reading stumbles over. Entries and
 * dropped ones are together what the corpus' index counts, but for three files: it does not unpack the gzipped ones,
 * and in "illegally-nested" it counts the empty items inside the items.
 */
const feeds: [string, FeedFormat, number, number, string?][] = [
  ["biorss_2021-11-23_3578d5934537d5474573eef7d1bf9de5.xml", "rss-1.0", 19, 0],
  ["biorss_2021-11-23_3bd4ee2e7045ead791e322c2f0fc7c76.xml", "rss-2.0", 48, 0],
  ["biorss_2021-11-23_5c20d2dbd02f93c620b415eda1f19284.xml", "rss-1.0", 4, 0],
  ["biorss_2021-11-23_7e2b51d9446382fee6cfa66b88388f73.xml", "rss-1.0", 14, 0],
  ["biorss_2021-11-23_9e49b7bb2c835c4fd6d98abf9167459b.xml", "atom-1.0", 0, 0],
  ["biorss_2021-11-23_a6710623fc0de37d7d5b4a6f6b7c10a7.xml", "rss-1.0", 29, 0],
  ["biorss_2021-11-23_ac4926010a47e146b813889ebb96bcc6.xml", "rss-2.0", 168, 0],
  ["biorss_2021-11-23_b7a6def63bf0dad1ab0f285c614b43c2.xml", "rss-2.0", 15, 0],
  ["biorss_2021-11-23_c90e81cabe1d7e14deba3f39e1ea655b.xml", "rss-1.0", 15, 0],
  ["biorss_2021-11-23_d08acaa8dc9b5e6f5bd8e6631cfd9e73.xml", "rss-1.0", 10, 0],
  ["epnoi_hoarder_rss_item.xml", "rss-1.0", 1, 0],
  ["feedjira_AtomFeedWithSpacesAroundEquals.xml", "atom-1.0", 1, 0, "XML declaration"],
  ["feedjira_FeedBurnerUrlNoAlternate.xml", "atom-1.0", 1, 0, "XML declaration"],
  ["feedjira_GoogleDocsList.xml", "atom-1.0", 2, 0],
  ["feedjira_HuffPostCanada.xml", "rss-2.0", 2, 0],
  ["feedjira_InvalidDateFormat.xml", "rss-2.0", 2, 0, "line 21: unclosed tag: rss"],
  ["feedjira_Permalinks.xml", "rss-2.0", 3, 1],
  ["feedjira_RSSWithComments.xml", "rss-2.0", 30, 0],
  ["feedjira_SamRuby.xml", "atom-1.0", 20, 0, "XML declaration"],
  ["feedjira_atom_with_link_tag_for_url_unmarked.xml", "atom-1.0", 1, 0, "XML declaration"],
  ["feedjira_youtube_atom.xml", "atom-1.0", 15, 0, "XML declaration"],
  ["feedparser_illformed_aaa_illformed.xml", "rss-2.0", 0, 0, "line 6: unclosed tag: rss"],
  ["feedparser_illformed_always_strip_doctype.xml", "rss-2.0", 0, 0],
  ["feedparser_illformed_http_high_bit_date.xml", "rss-2.0", 0, 0],
  ["feedparser_illformed_rdf_channel_empty_textinput.xml", "rss-1.0", 1, 0, "XML declaration"],
  ["feedparser_illformed_undeclared_namespace.xml", "rss-2.0", 0, 0, "itunes:subtitle"],
  ["feedsmith_atom-03.xml", "atom-0.3", 3, 0],
  ["feedsmith_atom-10.xml", "atom-1.0", 3, 3],
  ["feedsmith_rdf-09.xml", "rss-0.9x", 5, 0],
  ["feedsmith_rdf-10.xml", "rss-1.0", 2, 0],
  ["feedsmith_rdf-ns.xml", "rss-1.0", 1, 0],
  ["feedsmith_rss-090.xml", "rss-0.9x", 2, 0],
  ["feedsmith_rss-091.xml", "rss-0.9x", 2, 0],
  ["feedsmith_rss-092.xml", "rss-0.9x", 2, 0],
  ["feedsmith_rss-20.xml", "rss-2.0", 2, 0],
  ["feedsmith_rss-ns.xml", "rss-2.0", 1, 0],
  ["fpenc_big5.xml", "rss-2.0", 0, 0],
  ["fpenc_demoronize-1.xml", "rss-2.0", 0, 1],
  ["fpenc_double-encoded-html.xml", "rss-2.0", 0, 1],
  ["fpenc_http_i18n.xml", "atom-0.3", 0, 0],
  ["fpenc_http_text_xml_charset.xml", "rss-2.0", 0, 0],
  ["fpenc_http_text_xml_charset_2.xml", "rss-2.0", 1, 0, "utf-8"],
  ["fpenc_http_text_xml_charset_overrides_encoding.xml", "rss-2.0", 0, 0],
  ["fpenc_http_text_xml_charset_overrides_encoding_2.xml", "rss-2.0", 1, 0],
  ["fpenc_no_content_type_default.xml", "atom-0.3", 0, 0],
  ["fpenc_no_content_type_encoding.xml", "atom-0.3", 0, 0],
  ["nodefeedparser_atom-with-tag-uri-links.xml", "atom-1.0", 0, 1],
  ["nodefeedparser_category-feed.xml", "rss-2.0", 1, 0],
  ["nodefeedparser_complexNamespaceFeed.xml", "atom-1.0", 0, 1],
  ["nodefeedparser_compressed.xml", "rss-2.0", 10, 0],
  ["nodefeedparser_guid-dupes.xml", "rss-2.0", 1, 0],
  ["nodefeedparser_iconv.xml", "rss-2.0", 10, 0],
  ["nodefeedparser_illegally-nested.xml", "rss-2.0", 10, 0],
  ["nodefeedparser_intertwingly.atom", "atom-1.0", 20, 0],
  ["nodefeedparser_invalid-characters-gzipped.xml", "rss-2.0", 25, 0],
  ["nodefeedparser_nondefaultnamespace.atom", "atom-1.0", 1, 0],
  ["nodefeedparser_relative-channel-image-url.xml", "rss-2.0", 1, 0],
  ["nodefeedparser_rss-with-item-scoped-html-base.xml", "rss-2.0", 2, 0],
  ["nodefeedparser_rss-with-relative-urls.xml", "rss-2.0", 2, 0],
  ["nodefeedparser_rss-with-trailing-meta.xml", "rss-2.0", 1, 0],
  ["nodefeedparser_saxerror.xml", "rss-2.0", 3, 0, 'line 15: a "&"'],
  ["nodefeedparser_tpm-with-empty-base.atom", "atom-1.0", 20, 0],
  ["nodefeedparser_unknown-namespace.atom", "atom-1.0", 1, 0],
  ["rome_geo-rss-issue-27.rss", "rss-2.0", 10, 0],
  ["rome_rss1.0-w3cgeo.xml", "rss-1.0", 3, 0],
  ["rome_slashdot.xml", "rss-1.0", 10, 0],
  ["rome_usgs-gov-earthquakes-all-hour-atom.xml", "atom-1.0", 6, 0],
  ["rssparser_content-encoded.rss", "rss-2.0", 7, 0],
  ["rssparser_encoding.rss", "rss-2.0", 40, 0],
  ["rssparser_gulp-atom.atom", "atom-1.0", 10, 0],
  ["rssparser_heise.atom", "atom-1.0", 15, 0],
  ["rssparser_heraldsun.rss", "rss-0.9x", 2, 0],
  ["rssparser_incomplete-fields.atom", "atom-1.0", 0, 1],
  ["rssparser_instant-article.rss", "rss-2.0", 1, 0],
  ["rssparser_missing-fields.atom", "atom-1.0", 0, 1],
  ["rssparser_pagination-links.rss", "rss-2.0", 1, 0],
  ["rssparser_reddit-atom.rss", "rss-2.0", 24, 0],
  ["rssparser_rss-1.rss", "rss-1.0", 69, 0],
  ["rssparser_uolNoticias.rss", "rss-2.0", 15, 0, "utf-8"],
];

const noFeeds: [string, string][] = [
  // Well-formed XHTML around a feed.
  ["feedjira_DuplicateContentAtomFeed.xml", "html"],
  ["rssparser_unrecognized.rss", "html"],
];

const read = (file: string) =>
  parseFeed(corpus.bytes(file), { url: "https://feeds.example.org/journal/feed" });

const entriesOf = (file: string) => {
  const reading = read(file);
  return reading.type === "feed" ? reading.entries : [];
};

describe.skipIf(corpus.isAbsent)("the reference feeds (skipped where their corpus is absent)", () => {
  test.each(feeds)("%s → %s, %i entries, %i dropped", (file, format, entries, dropped, strictProblem) => {
    const reading = read(file);
    expect(reading).toMatchObject({ format, lenient: strictProblem !== undefined });
    if (strictProblem !== undefined) {
      expect(reading).toMatchObject({ strictProblem: expect.stringContaining(strictProblem) });
    }
    expect(reading.type === "feed" && [reading.entries.length, reading.dropped.length]).toEqual([
      entries,
      dropped,
    ]);
  });

  test.each(noFeeds)("%s → %s", (file, reason) => {
    expect(read(file)).toMatchObject({ type: "not-a-feed", reason });
  });

  test("every file → in one of the tables", () => {
    const files = corpus.filesIn().filter((file) => file !== "INDEX.md");
    expect([...feeds, ...noFeeds].map(([file]) => file).toSorted()).toEqual(files.toSorted());
  });

  test.each(["fpenc_http_text_xml_charset_2.xml", "fpenc_http_text_xml_charset_overrides_encoding_2.xml"])(
    "the charset in the header of %s, not its own → its punctuation is right",
    (file) => {
      const decoding = decodeFeed(corpus.bytes(file), "text/xml; charset=windows-1252");
      expect(decoding).toMatchObject({ text: expect.stringContaining("<description>This is a £“test.”<") });
    },
  );

  test("RSS 1.0 of a journal → volume, issue, pages, section and all creators", () => {
    const [, article] = entriesOf("biorss_2021-11-23_3578d5934537d5474573eef7d1bf9de5.xml");
    expect(article).toMatchObject({
      title: "Vanakripa chinensis sp. nov. from China and notes on the genus",
      creators: ["Zhang, Kai", "Guo, Weihua", "Li, De-Wei", "Castañeda-Ruiz, Rafael F."],
      publicationName: "MYCOTAXON",
      issn: "0093-4666",
      volume: "136",
      issue: "3",
      startingPage: "545",
      endingPage: "551",
      section: "New Taxa",
    });
  });

  test.each([
    ["biorss_2021-11-23_5c20d2dbd02f93c620b415eda1f19284.xml", "10.11646/phytotaxa.525.4.1"],
    ["biorss_2021-11-23_b7a6def63bf0dad1ab0f285c614b43c2.xml", "10.11646/zootaxa.5002.1.1"],
    ["biorss_2021-11-23_c90e81cabe1d7e14deba3f39e1ea655b.xml", "10.4039/tce.2021.38"],
    ["rssparser_rss-1.rss", "10.1126/science.356.6343.1134-a"],
  ])("%s → its first DOI is %s", (file, doi) => {
    expect(entriesOf(file)[0]?.doi).toBe(doi);
  });
});
