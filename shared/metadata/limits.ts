/**
 * How much of a page is read. A page is a stranger's: each limit is far above what real articles have, and keeps the
 * work that one page can cause within some tens of milliseconds. What lies beyond a limit is left out and said so in
 * the reading's `problems`.
 */

/** Of the body; metadata stands in the head. */
export const maxPageBytes = 5 * 1024 * 1024;

/** Of each of: meta tags, links, COinS, unAPI ids. The longest author lists known have about 5 000 names. */
export const maxTagsPerKind = 6_000;

/** Of one attribute or title; the longest abstract that MARC-21 takes has 9 994 bytes. */
export const maxTextChars = 50_000;

/** MARC-21 allows a record 99 999 bytes, which 1 000 names fill. */
export const maxCreators = 1_000;

export const maxKeywords = 200;

/** Of one JSON-LD block; a longer one is left out whole, half a JSON text being none. */
export const maxJsonLdChars = 500_000;
export const maxJsonLdBlocks = 50;

/** Objects looked at in all blocks of JSON-LD, and how deep they may be nested. */
export const maxJsonLdNodes = 5_000;
export const maxJsonLdDepth = 12;
