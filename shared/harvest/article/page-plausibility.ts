import { normalizeForComparison } from "../../formats/comparable-text.ts";
import type { Vocabulary } from "../../formats/merge/merge-metadata.ts";
import type { RecipeOrigins } from "../../formats/page/read-page.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";

/** A page's item, and the vocabulary from which its title was read. */
export interface TitledItem {
  item: ZoteroItem;
  titleFrom: Vocabulary;
  recipes?: RecipeOrigins;
}

/** The vocabularies that any page may have, even an error page. */
const genericVocabularies: ReadonlySet<Vocabulary> = new Set(["html", "open-graph"]);

/** The vocabularies that only article pages have. */
const articleVocabularies: ReadonlySet<Vocabulary> = new Set([
  "unapi",
  "highwire",
  "prism",
  "eprints",
  "mods",
  "ris",
  "bibtex",
]);

/**
 * The minimum number of letters of a title for a match, because a shorter title may be part of another one by chance.
 */
const minMatchLetters = 10;

const separators = /\s[-–—:»·•]+\s|\s*[|‖]\s*/;

/**
 * Titles of error, bot check and login pages that are sent with status 200 (seen in November 2026 at Cloudflare,
 * Akamai, DataDome, Imperva, Atypon, OJS, WordPress, Drupal).
 */
const errorTitles = [
  /^(?:error\s*)?(?:401|403|404|410|429|500|502|503|504)(?:\s*error)?(?:$|[\s:.!-]+(?:error|page|not|forbidden|access|gone|unauthori[sz]ed|too|internal|bad|service|gateway)\b)/i,
  /^(?:the |this )?(?:requested )?(?:page|article|content|document|resource|url|file|item)(?: you requested| requested)? (?:was |is |could |can )?(?:not|cannot|can't) (?:be )?(?:found|available)[.!]*$/i,
  /^(?:not found|page unavailable|page missing|nothing found|oops[.!]*|error|an error (?:has )?occurr?ed|something went wrong)[.!]*$/i,
  /^(?:just a moment|one moment,? please|please wait|attention required!?|checking your browser(?: before accessing.*)?)[.!… ]*$/i,
  /^(?:access (?:to this page )?(?:has been )?(?:denied|blocked|restricted)|access to this page has been denied|forbidden|unauthori[sz]ed|request rejected|blocked)[.!]*$/i,
  /^(?:are you a robot\??|robot check|human verification|security check(?:point)?|verify(?:ing)? you are (?:a )?human|bot verification|captcha|pardon our interruption|client challenge)[.!… ]*$/i,
  /^(?:log ?in|sign ?in|cookies? (?:absent|required|disabled)|enable (?:javascript|cookies)(?: and cookies)?(?: to continue)?|session expired)[.!]*$/i,
  /^(?:service (?:temporarily )?unavailable|(?:down|under|site) (?:for )?maintenance|internal server error|bad gateway|gateway time-?out|too many requests|temporarily unavailable)[.!]*$/i,
];

/**
 * Returns whether the page has article metadata beyond a title. A title alone proves nothing, because any vocabulary
 * may name the site.
 */
export function describesArticle({ item, titleFrom }: TitledItem): boolean {
  const { itemType, creators = [], date } = item;
  if (articleVocabularies.has(titleFrom) || itemType !== "webpage" || hasArticleFields(item)) return true;
  return !genericVocabularies.has(titleFrom) && (creators.length > 0 || date !== undefined);
}

/**
 * Returns whether the page's title is that of an error page. A title from an article vocabulary, or the title that the
 * feed announced, never is.
 */
export function isErrorTitle({ item, titleFrom }: TitledItem, announced = ""): boolean {
  const { title = "" } = item;
  if (
    articleVocabularies.has(titleFrom) ||
    hasArticleFields(item) ||
    normalizeTitle(title) === normalizeTitle(announced)
  )
    return false;
  const parts = genericVocabularies.has(titleFrom) ? splitTitle(title) : [title];
  return parts.some((part) => errorTitles.some((error) => error.test(part.trim())));
}

/** Returns whether an item has fields that no error page has. */
function hasArticleFields({ DOI, volume, issue }: ZoteroItem): boolean {
  return [DOI, volume, issue].some((value) => value !== undefined);
}

/**
 * Returns whether a page's title contains the announced title or is its beginning. The page's title may also contain
 * the names of the site and the journal.
 */
export function titlesMatch(title: string, announced: string): boolean {
  const expected = normalizeTitle(announced);
  const whole = normalizeTitle(title);
  if (expected === "" || whole === "") return false;
  if (expected.length >= minMatchLetters && whole.includes(expected)) return true;
  const parts = splitTitle(title).map(normalizeTitle);
  return parts.some(
    (part) => part === expected || (part.length >= minMatchLetters && expected.startsWith(part)),
  );
}

/** Returns the whole title and its parts between separators. */
function splitTitle(title: string): string[] {
  return [title, ...title.split(separators)];
}

function normalizeTitle(text: string): string {
  return normalizeForComparison(text.normalize("NFKC"));
}
