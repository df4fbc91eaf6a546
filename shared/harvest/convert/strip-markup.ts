import { collapseSpace, withoutEntities } from "../../formats/plain-text.ts";

/** Matches any tag. The length is limited, so that a long text of `<a ` takes linear time. */
const tag = /<[A-Za-z/](?:"[^"]*"|'[^']*'|[^>"']){0,1000}>/g;

/**
 * Removes markup. Every tag becomes a space, even inside a word, as in delivered records, because an unchanged record
 * must keep its hash.
 */
export function stripMarkup(text: string): string {
  return collapseSpace(withoutEntities(text.includes("<") ? text.replace(tag, " ") : text));
}
