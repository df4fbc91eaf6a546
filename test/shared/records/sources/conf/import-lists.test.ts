import { beforeEach, describe, expect, it } from "vitest";
import type { ListFolder } from "../../../../../shared/records/sources/conf/list-warnings.ts";
import type { ListFiles } from "../../../../../shared/records/sources/list-files.ts";
import { configuration, journal } from "../fixtures.ts";
import { begin, emptyLists, ini, store, take } from "./import-world.ts";

beforeEach(begin);

describe("a list that is missing or empty", () => {
  const lists: ListFiles = { nameBlacklist: "Editor", genreKeywords: "x", licences: "2049-3630=l" };
  const { licences: _licences, ...twoLists } = lists;
  const noMap = "so no ISSN_to_licence.map: a journal without a licence gets the licence of its items, or ZZ";

  it.each<{
    title: string;
    stored?: ListFiles;
    files: ListFiles;
    listFolder?: ListFolder;
    says: string[];
  }>([
    {
      title: "no folder",
      files: twoLists,
      listFolder: { path: "/none", exists: false },
      says: [`there is no folder "/none"${noMap.slice(noMap.indexOf(":"))}`],
    },
    {
      title: "no folder, and one is stored",
      stored: { licences: "2049-3630=l" },
      files: {},
      listFolder: { path: "/none", exists: false },
      says: [
        'there is no folder "/none": words that are not part of a name stay in names; every keyword goes to 650, none to 655; the stored ISSN_to_licence.map is kept',
      ],
    },
    {
      title: "a folder without it",
      files: twoLists,
      listFolder: { path: "/maps", exists: true },
      says: [`the folder "/maps" has ${noMap.slice(3)}`],
    },
    {
      title: "a folder without it, and one is stored",
      stored: lists,
      files: twoLists,
      listFolder: { path: "/maps", exists: true },
      says: ['the folder "/maps" has no ISSN_to_licence.map: the stored list is kept'],
    },
    {
      title: "not given, and none is stored",
      files: twoLists,
      says: [`ISSN_to_licence.map is not given, and none is stored${noMap.slice(noMap.indexOf(":"))}`],
    },
    { title: "not given, and one is stored", stored: lists, files: {}, says: [] },
    {
      title: "empty, and one is stored",
      stored: { ...lists, nameBlacklist: "Editor\nThe" },
      files: { ...lists, nameBlacklist: "", licences: "# none\n" },
      says: [
        "author_name_blacklist.txt is empty, which removes the 2 stored entries: words that are not part of a name stay in names",
        "ISSN_to_licence.map is empty, which removes the stored entry: a journal without a licence gets the licence of its items, or ZZ",
      ],
    },
    { title: "empty, and the stored one is, too", stored: emptyLists, files: emptyLists, says: [] },
    { title: "all there", files: lists, listFolder: { path: "/maps", exists: true }, says: [] },
  ])("$title → $says", async ({ stored, files, listFolder, says }) => {
    if (stored) await take(ini, stored);
    const { warnings } = await take(ini, files, listFolder && { listFolder });
    expect(warnings).toEqual(says.map((one) => `enhancement_maps_directory: ${one}`));
  });
});

describe("an item that is too large for DynamoDB", () => {
  const many = (prefix: string) => Array.from({ length: 30_000 }, (_, index) => `${prefix}${index} = x`);
  const names = Array.from({ length: 60_000 }, (_, index) => `Name${index}`).join("\n");

  it.each<{ title: string; text: string; files: ListFiles; line: number; says: RegExp }>([
    {
      title: "a journal",
      text: configuration([...journal, ...many("suppress_json_field_f")]),
      files: {},
      line: 23,
      says: /^the section "A journal : of tests" has \d+ kB, more than the 390 kB that can be stored: filters \d+ kB$/,
    },
    {
      title: "a list",
      text: ini,
      files: { nameBlacklist: names },
      line: 1,
      says: /^the section "" has \d+ kB, .*: author_name_blacklist\.txt \d+ kB$/,
    },
  ])(
    "$title → refused with its size, also in a dry run; nothing is written",
    async ({ text, files, line, says }) => {
      for (const dryRun of [true, false]) {
        const { type, problems } = await take(text, files, { dryRun, isStrict: true });
        expect({ type, problems }).toEqual({
          type: "refused",
          problems: [{ line, message: expect.stringMatching(says) }],
        });
      }
      expect(store.stored.size).toBe(0);
    },
  );

  it("a list that fits alone, but not with another stored one → refused", async () => {
    const half = names.slice(0, names.length / 2);
    expect(await take(ini, { nameBlacklist: half })).toMatchObject({ type: "imported" });
    expect(await take(ini, { genreKeywords: half })).toMatchObject({ type: "refused" });
  });
});
