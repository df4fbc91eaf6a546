import { normalizeOrcid } from "../../identifiers/orcid.ts";
import type { Notes } from "./item-notes.ts";
import { invertedName } from "./person-names.ts";

/** ORCID iDs by the names in the notes. */
export type Orcids = ReadonlyMap<string, string>;

const bareOrcid = /^\d{4}-\d{4}-\d{4}-\d{3}[\dxX]$/;

/**
 * Reads notes of the form `orcid:<iD or its URL> | <name>[ | …]`. Notes without a name or an iD are left out with a
 * warning. A bare iD is kept, with a warning, even if its check digit is wrong, because the Zotero Harvester delivered
 * such records, and an unchanged record must keep its hash.
 */
export function readOrcids(notes: Notes, warn: (warning: string) => void): Orcids {
  const orcids = new Map<string, string>();
  for (const note of notes.get("orcid") ?? []) {
    const [stated = "", name] = note.split("|").map((part) => part.trim());
    const normalized = normalizeOrcid(stated);
    const id = bareOrcid.test(stated) ? stated : normalized;
    if (name === undefined) warn(`invalid ORCID information: "${note}"`);
    else if (id === undefined) warn(`invalid ORCID "${stated}"`);
    else {
      if (normalized === undefined) warn(`ORCID "${stated}" has a wrong check digit`);
      if (!orcids.has(name)) orcids.set(name, id);
    }
  }
  return orcids;
}

/**
 * Returns the iD of exactly this name, in either order. Names with brackets never match, because delivered records have
 * no iD for such names, and an unchanged record must keep its hash.
 */
export function findOrcid(name: { firstName: string; lastName: string }, orcids: Orcids): string | undefined {
  const fullName = `${name.firstName} ${name.lastName}`.trim();
  if (/[()]/.test(fullName)) return undefined;
  return orcids.get(fullName) ?? orcids.get(invertedName(name));
}
