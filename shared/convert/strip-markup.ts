import { collapseSpace, withoutEntities } from "../metadata/plain-text.ts";

/** Any tag; bounded, so that a text of nothing but `<a ` is read in linear time. */
const tag = /<[A-Za-z/](?:"[^"]*"|'[^']*'|[^>"']){0,1000}>/g;

/**
 * Text without its markup: every tag becomes a space, also inside a word, since the records that were delivered before
 * have it so, and a record must keep its hash.
 */
export function stripMarkup(text: string): string {
  return collapseSpace(withoutEntities(text.includes("<") ? text.replace(tag, " ") : text));
}
