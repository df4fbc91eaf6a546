import type { StoredRecord } from "../../records/documents/stored-record.ts";

/** What the sets of the repository are formed by. */
export const setKinds = ["group", "source", "collection", "state"] as const;
export type SetKind = (typeof setKinds)[number];

/** The set of the records that searches may show: neither they nor their collection are suppressed. */
export const searchSet = "search";

/** The list of all items. No setSpec contains "#". */
export const allItems = "#all";

/** The names of states in setSpecs: those of the documentation. */
export const stateNames: Readonly<Record<StoredRecord["state"], string>> = {
  harvested: "harvested",
  "online-first": "online-first",
  delinquent: "refused",
  released: "released",
  duplicate: "duplicate",
  delivered: "delivered",
};

/** A character that a setSpec may contain, and that does not begin an escape. */
const plain = /[A-Za-z0-9_.-]/;

/**
 * Returns the setSpec of a group, source, collection or state, such as `source.zs-1`. The sets form no hierarchy, so it
 * contains no colon. Other characters of an id are escaped as `!` and two hexadecimal digits per byte.
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#Set
 */
export function setSpecOf(kind: SetKind, id: string): string {
  const escaped = [...Buffer.from(id)].map((byte) => {
    const character = String.fromCharCode(byte);
    return plain.test(character) ? character : `!${byte.toString(16).padStart(2, "0")}`;
  });
  return `${kind}.${escaped.join("")}`;
}

const titles: Readonly<Record<SetKind, string>> = {
  group: "Group",
  source: "Source",
  collection: "Collection",
  state: "State",
};

/** Returns the name of a set for people, such as `Source zs-1`. */
export function setNameOf(setSpec: string): string {
  const [kind = "", id = ""] = setSpec.split(/\.(.*)/s);
  const title = Object.hasOwn(titles, kind) ? titles[kind as SetKind] : undefined;
  return title === undefined ? "Records that searches may show" : `${title} ${id}`;
}
