/**
 * The fields of names other than those of persons, with the field of a person in the same place. A rule for the person
 * covers them, unless they have rules of their own: who the author is decides between 100 and 110, not the rules.
 */
const personFields: ReadonlyMap<string, string> = new Map([
  ["110", "100"],
  ["111", "100"],
  ["710", "700"],
  ["711", "700"],
  ["720", "700"],
]);

/** Returns the tag of the person in the same place, or the tag itself. */
export function personFieldOf(tag: string): string {
  return personFields.get(tag) ?? tag;
}

/** Decides whether a field is present, or the main entry of a body instead of that of a person. */
export function isNamePresent(tag: string, present: ReadonlySet<string>): boolean {
  return present.has(tag) || (tag === "100" && (present.has("110") || present.has("111")));
}
