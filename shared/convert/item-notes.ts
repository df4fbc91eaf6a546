import type { ZoteroItem } from "../metadata/zotero-item.ts";
import { findShapeProblem } from "./item-shape.ts";
import { sanitizeText } from "./sanitize-text.ts";

/** What an item says beside its fields, by key; a key may occur several times. */
export type Notes = ReadonlyMap<string, readonly string[]>;

/** An item with its notes, or what is wrong with it; `index` is its place in the answer, from 0. */
export type ItemWithNotes = { index: number } & (
  | { type: "item"; item: ZoteroItem }
  | { type: "malformed"; detail: string }
);

/**
 * A server's answer as items with their notes: an item of type `note` belongs to the item before it, and is lost with
 * it when that cannot be read. The items given are left as they are.
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

/** Reads `key:value` notes, split at the first colon; others are told of and left out. */
export function readNotes(item: ZoteroItem, warn: (warning: string) => void): Notes {
  const notes = new Map<string, string[]>();
  for (const { note: written } of item.notes ?? []) {
    if (!written) continue;
    const note = sanitizeText(written, "notes", warn);
    const colon = note.indexOf(":");
    if (colon < 0) {
      warn(`additional metadata in "notes" is missing a colon: "${note}"`);
      continue;
    }
    const key = note.slice(0, colon);
    notes.set(key, [...(notes.get(key) ?? []), note.slice(colon + 1)]);
  }
  return notes;
}
