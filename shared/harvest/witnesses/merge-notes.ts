import type { MetadataCreator } from "../../formats/article-metadata.ts";
import { withoutMarks } from "../../formats/comparable-text.ts";
import { fullName } from "../../formats/creator-names.ts";
import type { ZoteroCreator, ZoteroItem } from "../../formats/zotero-item.ts";
import { orderOfTrust } from "./field-table.ts";
import type { Statement } from "./statement.ts";

/**
 * Merges the notes of all witnesses, the most trusted first. A note is taken only if no more trusted witness has a note
 * with its key or, for ORCID iDs, for its name. Finally, the iDs of registered creators are added to the article's
 * creators.
 */
export function mergeNotes(
  statements: readonly Statement[],
  creators: readonly ZoteroCreator[] = [],
): NonNullable<ZoteroItem["notes"]> {
  const ranked = statements.toSorted(
    (one, other) => orderOfTrust.indexOf(one.witness) - orderOfTrust.indexOf(other.witness),
  );
  const registered = ranked.map(({ item }) => registeredOrcids(creators, item.creators ?? []));
  const merged: { note: string }[] = [];
  const taken = new Set<string>();
  for (const notes of [...ranked.map(({ item }) => item.notes ?? []), ...registered]) {
    const fresh = notes.filter(({ note }) => !taken.has(noteKey(note)));
    merged.push(...fresh);
    for (const { note } of fresh) taken.add(noteKey(note));
  }
  return merged;
}

/** Returns what a note is about: the part before its colon, for ORCID iDs with the name. */
function noteKey(note: string): string {
  const key = note.split(":", 1)[0] ?? "";
  return key === "orcid" ? `orcid ${note.split("|")[1]?.trim()}` : key;
}

/** Returns a note for each creator who is the only one that a registered creator with an ORCID iD can be. */
function registeredOrcids(
  creators: readonly ZoteroCreator[],
  registered: readonly MetadataCreator[],
): { note: string }[] {
  return registered.flatMap(({ orcid, ...creator }) => {
    const [same, ...others] = creators.filter((each) => mayBeSamePerson(each, creator));
    return orcid === undefined || same === undefined || others.length > 0
      ? []
      : [{ note: `orcid:${orcid} | ${fullName(same)}` }];
  });
}

/** Decides whether the surnames are equal, and each forename is that of the other person or its initial. */
function mayBeSamePerson(one: ZoteroCreator, other: ZoteroCreator): boolean {
  const words = (name: unknown) =>
    typeof name === "string"
      ? (withoutMarks(name)
          .toLowerCase()
          .match(/\p{L}+/gu) ?? [])
      : [];
  const surname = words(one.lastName).join(" ");
  const [own, others] = [words(one.firstName), words(other.firstName)];
  const areAlike = (a: string, b: string) => (a.length === 1 || b.length === 1 ? a[0] === b[0] : a === b);
  return (
    surname !== "" &&
    surname === words(other.lastName).join(" ") &&
    own.every((word, at) => areAlike(word, others[at] ?? word))
  );
}
