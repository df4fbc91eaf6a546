import { collapseSpace, withoutEntities } from "../../formats/plain-text.ts";

/** Any tag; bounded, so that a long text of `<a ` takes linear time. */
const tag = /<[A-Za-z/](?:"[^"]*"|'[^']*'|[^>"']){0,1000}>/g;

/**
 * Removes markup: every tag becomes a space, even inside a word. Delivered records have it so, and an unchanged record must
 * keep its hash.
 */
export function stripMarkup(text: string): string {
  return collapseSpace(withoutEntities(text.includes("<") ? text.replace(tag, " ") : text));
}
