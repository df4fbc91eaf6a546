import type { ZoteroItem } from "../../formats/zotero-item.ts";
import { findShapeProblem } from "./item-shape.ts";
import { sanitizeText } from "./sanitize-text.ts";

/** The notes of an item, by key. A key may occur several times. */
export type Notes = ReadonlyMap<string, readonly string[]>;

/** An item with its notes, or its problem. `index` is its position in the response, from 0. */
type ItemWithNotes = { index: number } & (
  | { type: "item"; item: ZoteroItem }
  | { type: "malformed"; detail: string }
);

/**
 * Attaches items of type `note` to the item before them. Notes of a malformed item are dropped together with the item.
 * The input is not changed.
 */
export function attachNotes(items: readonly ZoteroItem[]): ItemWithNotes[] {
  const itemsWithNotes: ItemWithNotes[] = [];
  for (const [index, item] of items.entries()) {
    const problem = findShapeProblem(item);
    const previous = itemsWithNotes.at(-1);
    if (problem !== undefined) itemsWithNotes.push({ index, type: "malformed", detail: problem });
    else if (item.itemType !== "note")
      itemsWithNotes.push({ index, type: "item", item: { ...item, notes: [...(item.notes ?? [])] } });
    else if (!previous)
      itemsWithNotes.push({ index, type: "malformed", detail: "a note without an item before it" });
    else if (previous.type === "item")
      previous.item.notes?.push({ note: typeof item.note === "string" ? item.note : "" });
  }
  return itemsWithNotes;
}

/** Reads notes of the form `key:value`, which are split at the first colon. Other notes are left out with a warning. */
export function readNotes(item: ZoteroItem, warn: (warning: string) => void): Notes {
  const notes = new Map<string, string[]>();
  for (const { note: rawNote } of item.notes ?? []) {
    if (!rawNote) continue;
    const note = sanitizeText(rawNote, "notes", warn);
    const colon = note.indexOf(":");
    if (colon < 0) {
      warn(`a note without a colon was left out: "${note}"`);
      continue;
    }
    const key = note.slice(0, colon);
    notes.set(key, [...(notes.get(key) ?? []), note.slice(colon + 1)]);
  }
  return notes;
}
