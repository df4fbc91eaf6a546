import { normalizeOrcid } from "../identifiers/orcid.ts";
import type { Notes } from "./item-notes.ts";
import { invertedName } from "./person-names.ts";

/** ORCID iDs by the names that the page gives them to. */
export type Orcids = ReadonlyMap<string, string>;

const bareOrcid = /^\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/;

/**
 * Reads notes `orcid:<id or its URL> | <name>[ | …]`; what has no name or is no iD is told of and left out. A bare iD stays as
 * it is written, also with a wrong check digit, which is told: so the original has delivered it, and a record must keep
 * its hash.
 */
export function readOrcids(notes: Notes, warn: (warning: string) => void): Orcids {
  const orcids = new Map<string, string>();
  for (const note of notes.get("orcid") ?? []) {
    const [written = "", name] = note.split("|").map((part) => part.trim());
    const normalized = normalizeOrcid(written);
    const id = bareOrcid.test(written) ? written : normalized;
    if (name === undefined) warn(`invalid ORCID information: "${note}"`);
    else if (id === undefined) warn(`invalid ORCID "${written}"`);
    else {
      if (normalized === undefined) warn(`ORCID "${written}" has a wrong check digit`);
      if (!orcids.has(name)) orcids.set(name, id);
    }
  }
  return orcids;
}

/**
 * The iD given to exactly this name, in either order. Names with brackets are not compared: the records that were
 * delivered before have no iD there, and a record must keep its hash.
 */
export function findOrcid(name: { firstName: string; lastName: string }, orcids: Orcids): string | undefined {
  const written = `${name.firstName} ${name.lastName}`;
  if (/[()]/.test(written)) return undefined;
  return orcids.get(written) ?? orcids.get(invertedName(name));
}
