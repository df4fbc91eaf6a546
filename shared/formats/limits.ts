/**
 * Limits on the content that is read of a page or file. Each limit is far above the size of real articles, and keeps
 * the work for a hostile page within a few tens of milliseconds. Content beyond a limit is omitted and reported in
 * `problems`.
 */

/** The number of bytes of a body. Metadata is in the head. */
export const maxPageBytes = 5 * 1024 * 1024;

/**
 * The number of meta tags, of links, of COinS and of unAPI ids. The longest known author lists have about 5,000 names.
 */
export const maxTagsPerKind = 6_000;

/** The number of characters of one attribute or title. A MARC-21 field holds 9,994 bytes. */
export const maxTextChars = 50_000;

/** The number of creators. A MARC-21 record holds 99,999 bytes, which about 1,000 names fill. */
export const maxCreators = 1_000;

export const maxKeywords = 200;

/** The number of characters of one JSON-LD block. A longer block is omitted, because truncated JSON is invalid. */
export const maxJsonLdChars = 500_000;
export const maxJsonLdBlocks = 50;

/** The number of objects visited in all JSON-LD blocks. The next constant is their nesting depth. */
export const maxJsonLdNodes = 5_000;
export const maxJsonLdDepth = 12;
