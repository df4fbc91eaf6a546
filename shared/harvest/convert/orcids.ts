import { invertedName } from "./names.ts";
import type { Notes } from "./notes.ts";

/** ORCID iDs by the names that the page gives them to. */
export type Orcids = ReadonlyMap<string, string>;

/** Reads notes `orcid:<id> | <name>[ | …]`; what has no name or no valid form is told of and left out. */
export function readOrcids(notes: Notes, warn: (warning: string) => void): Orcids {
  const orcids = new Map<string, string>();
  for (const note of notes.get("orcid") ?? []) {
    const [id = "", name] = note.split("|").map((part) => part.trim());
    if (name === undefined) warn(`invalid ORCID information: "${note}"`);
    else if (!/^\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/.test(id)) warn(`invalid ORCID "${id}"`);
    else if (!orcids.has(name)) orcids.set(name, id);
  }
  return orcids;
}

/**
 * The iD given to exactly this name, in either order. Names with brackets are not compared: the records that were
 * delivered before have no iD there, and a record must keep its hash.
 */
export function orcidOf(name: { firstName: string; lastName: string }, orcids: Orcids): string | undefined {
  const written = `${name.firstName} ${name.lastName}`;
  if (/[()]/.test(written)) return undefined;
  return orcids.get(written) ?? orcids.get(invertedName(name));
}
