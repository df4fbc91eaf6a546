/** The page numbers in 773 $g and 936. */
interface PageNumbers {
  /** The pages as given in the item; empty when there are none, or when they are the article id. */
  stated: string;
  /** The pages with roman numerals converted to arabic numerals; undefined when the pages are already arabic. */
  arabic?: string;
  /** The id of an article without pages, from the note `articleid` or from the pages after `article `. */
  articleId?: string;
}

/** Replaces en dashes with hyphens. `7-7` becomes `7`. */
export function normalisePages(pages: string): string {
  const hyphened = pages.replaceAll("–", "-");
  const range = /^(\d+)-(\d+)$/.exec(hyphened);
  return range?.[1] !== undefined && range[1] === range[2] ? range[1] : hyphened;
}

export function parsePageNumbers(pages: string, articleIdNote: string | undefined): PageNumbers {
  if (articleIdNote !== undefined)
    return { stated: pages === articleIdNote ? "" : pages, articleId: articleIdNote };
  if (isArticleNumber(pages)) return { stated: "", articleId: pages.slice("article".length).trim() };
  const arabic = arabicPages(pages);
  return { stated: pages, ...(arabic !== undefined && { arabic }) };
}

/** Returns `Seite 1-20`, or `Artikel 17` for an article number instead of pages. */
export function pagesStatement(pages: string): string {
  return isArticleNumber(pages) ? pages.replace("article", "Artikel") : `Seite ${pages}`;
}

function isArticleNumber(pages: string): boolean {
  return pages.startsWith("article");
}

/** Converts a page or range that consists only of roman numerals. */
function arabicPages(pages: string): string | undefined {
  const numbers = pages.split("-").map(romanNumber);
  return numbers.length <= 2 && numbers.every((number) => number !== undefined)
    ? numbers.join("-")
    : undefined;
}

const digits: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

function romanNumber(text: string): number | undefined {
  const roman = text.toUpperCase();
  if (!/^(?=.)M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/.test(roman)) return undefined;
  const values = [...roman].map((letter) => digits[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
