import { expect, it } from "vitest";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { attachNotes, readNotes } from "../../../../shared/harvest/convert/item-notes.ts";
import { item } from "./fixtures.ts";

it("two items with notes after them → appended to the notes of each", () => {
  const note = (text: string): ZoteroItem => ({ itemType: "note", note: text });
  const items = [{ ...item, notes: [{ note: "a:0" }] }, note("a:1"), note("b:2"), item, note("c:3")];
  expect(attachNotes(items).map((one) => one.type === "item" && one.item.notes)).toEqual([
    [{ note: "a:0" }, { note: "a:1" }, { note: "b:2" }],
    [{ note: "c:3" }],
  ]);
});

it.for<[string, string, [string, string[]][], number]>([
  ["a key and a value", "abs:A text", [["abs", ["A text"]]], 0],
  ["several colons", "abs:A: b: c", [["abs", ["A: b: c"]]], 0],
  ["a key alone", "LF:", [["LF", [""]]], 0],
  ["a key in another case", "lf:", [["lf", [""]]], 0],
  ["no colon", "A text", [], 1],
  ["nothing", "", [], 0],
])("a note of %s → read, or left out with a warning", ([, note, expected, warnings]) => {
  const warned: string[] = [];
  const notes = readNotes({ ...item, notes: [{ note }] }, (warning) => warned.push(warning));
  expect([...notes]).toEqual(expected);
  expect(warned).toHaveLength(warnings);
});
