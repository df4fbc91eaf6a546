/**
 * Limits on what is read of a page or file. Each is far above real articles and keeps the work for a hostile page within
 * some tens of milliseconds. Content beyond a limit is left out and reported in `problems`.
 */

/** Body bytes; metadata is in the head. */
export const maxPageBytes = 5 * 1024 * 1024;

/** Meta tags, links, COinS and unAPI ids, each. The longest known author lists have about 5,000 names. */
export const maxTagsPerKind = 6_000;

/** Characters of one attribute or title; a MARC-21 field takes 9,994 bytes. */
export const maxTextChars = 50_000;

/** A MARC-21 record takes 99,999 bytes, which 1,000 names fill. */
export const maxCreators = 1_000;

export const maxKeywords = 200;

/** Characters of one JSON-LD block; a longer one is left out, as truncated JSON is invalid. */
export const maxJsonLdChars = 500_000;
export const maxJsonLdBlocks = 50;

/** Objects visited in all JSON-LD blocks, and their nesting depth. */
export const maxJsonLdNodes = 5_000;
export const maxJsonLdDepth = 12;
