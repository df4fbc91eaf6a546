import { beforeEach, describe, expect, it } from "vitest";
import { ThrottledError } from "../../../shared/core/errors.ts";
import { leftOutOfFile } from "../../../shared/sources/beyond-export.ts";
import { type ConfigurationItem, configurationOf } from "../../../shared/sources/configuration.ts";
import type { EnhancementFiles } from "../../../shared/sources/enhancement-files.ts";
import { exportable, exportIni } from "../../../shared/sources/export-ini.ts";
import type { Group } from "../../../shared/sources/group.ts";
import { importConfiguration } from "../../../shared/sources/import-configuration.ts";
import { describeOccupied, summaryOfImport } from "../../../shared/sources/import-summary.ts";
import type { ListPlace } from "../../../shared/sources/missing-lists.ts";
import type { Source } from "../../../shared/sources/source.ts";
import { configuration, journal } from "./fixtures.ts";
import { MemoryConfiguration } from "./memory-configuration.ts";

let time = new Date("2026-11-20T10:00:00Z");
const now = () => time;
const ini = configuration(journal);
const other = `\n[Another journal]\n${journal.join("\n").replace("4711", "4712")}`;

const noneMissing: EnhancementFiles = { nameBlacklist: "", genreKeywords: "", licences: "" };

let store: MemoryConfiguration;
beforeEach(() => {
  store = new MemoryConfiguration();
  time = new Date("2026-11-20T10:00:00Z");
});

async function take(
  text: string,
  files: EnhancementFiles = {},
  {
    dryRun = false,
    allowRemovals = false,
    listPlace,
  }: { dryRun?: boolean; allowRemovals?: boolean; listPlace?: ListPlace } = {},
) {
  const input = { ini: text, files, ...(listPlace && { listPlace }) };
  const options = { dryRun, allowRemovals, by: "a test", now };
  const outcome = await importConfiguration(input, store, options);
  if (outcome.type === "occupied") throw new Error(describeOccupied(outcome));
  const summary = summaryOfImport(outcome);
  return { ...summary, names: summary.changes?.map(({ type, id, fields }) => [type, id, fields ?? []]) };
}

describe("an import", () => {
  it("into an empty store → version 1 with all items", async () => {
    expect(await take(ini)).toMatchObject({
      type: "imported",
      version: 1,
      unchanged: 0,
      names: [
        ["added", "global", []],
        ["added", "IxTheo", []],
        ["added", "Other", []],
        ["added", "ixtheo-4711", []],
      ],
    });
    expect(store.versions).toEqual([
      { version: 1, importedAt: "2026-11-20T10:00:00.000Z", added: 4, changed: 0, removed: 0 },
    ]);
  });

  it("of the same file again → nothing is written", async () => {
    await take(ini);
    const before = [...store.stored];
    expect(await take(ini)).toMatchObject({ changes: [], unchanged: 4 });
    expect([...store.stored]).toEqual(before);
    expect(store.versions).toHaveLength(1);
  });

  it("of a changed journal → that item alone, with the fields that differ and what was there before", async () => {
    await take(ini + other);
    const changed = ini + other.replace("zotero_type = RSS", "zotero_type = CRAWL\nssgn = FG_1");
    expect(await take(changed)).toMatchObject({
      version: 2,
      unchanged: 4,
      names: [["changed", "ixtheo-4712", expect.arrayContaining(["type", "ssgn"])]],
    });
    const items = await store.items();
    expect(items.map(({ id, version }) => [id, version])).toContainEqual(["ixtheo-4712", 2]);
    expect(items.map(({ id, version }) => [id, version])).toContainEqual(["ixtheo-4711", 1]);
    expect(store.history.get("2 source ixtheo-4712")).toMatchObject({ before: { value: { type: "RSS" } } });
  });

  it("without a journal of the import before → it is removed; what no import wrote stays", async () => {
    store.stored.set(
      "source demo",
      JSON.stringify({ kind: "source", id: "demo", value: { sourceId: "demo" } }),
    );
    await take(ini + other);
    expect(await take(ini)).toMatchObject({ names: [["removed", "ixtheo-4712", []]] });
    expect([...store.stored.keys()]).toContain("source demo");
  });

  it("as a dry run → tells the same and writes nothing", async () => {
    const dry = await take(ini, {}, { dryRun: true });
    expect(dry.names).toHaveLength(4);
    expect(dry.version).toBeUndefined();
    expect(store.stored.size).toBe(0);
    expect(store.versions).toEqual([]);
  });

  it("that broke off → the next one writes the rest, as a version of its own", async () => {
    store.diesAfter = 2;
    await expect(take(ini)).rejects.toThrow("killed");
    store.diesAfter = undefined;
    time = new Date("2026-11-20T10:02:00Z");
    const rest = await take(ini);
    expect(rest).toMatchObject({ version: 2, unchanged: 2 });
    expect(rest.names).toHaveLength(2);
    expect(await take(ini)).toMatchObject({ changes: [], unchanged: 4 });
  });

  it("while an operator sets a group's delivery → both are kept", async () => {
    await take(ini);
    store.meanwhile = async () => {
      store.meanwhile = undefined;
      await store.setFields({ kind: "group", id: "IxTheo" }, { recordsPerFile: 7 });
    };
    expect(await take(ini.replace("isil = DE-Tue135", "isil = DE-9"))).toMatchObject({ version: 2 });
    const group = await store.item({ kind: "group", id: "IxTheo" });
    expect(group?.value).toMatchObject({ recordsPerFile: 7, isil: "DE-9" });
  });

  it("while others go on writing what it changes → says so, to be done once more", async () => {
    await take(ini);
    store.meanwhile = () => store.setFields({ kind: "group", id: "IxTheo" }, { recordsPerFile: 7 });
    await expect(take(ini.replace("isil = DE-Tue135", "isil = DE-9"))).rejects.toThrow(ThrottledError);
  });

  it("while another import takes the same number → the one after it", async () => {
    await take(ini);
    const latestVersion = store.latestVersion.bind(store);
    store.latestVersion = async () => {
      const version = await latestVersion();
      const rival = { version: 2, importedAt: "2026-11-20T10:00:00.000Z", added: 0, changed: 1, removed: 0 };
      if (version === 1) store.versions.push(rival);
      return version;
    };
    expect(await take(ini + other)).toMatchObject({ version: 3 });
  });

  it("of a file with problems → all of them are told, nothing is written", async () => {
    const refused = await take(
      ini.replace("zeder_id = 4711", "zeder_id = x").replace("isil = DE-1", "isil ="),
    );
    expect(refused).toMatchObject({ type: "refused", problems: [{ line: 16 }, { line: 18 }, { line: 24 }] });
    expect(store.stored.size).toBe(0);
  });

  it("with unknown keys in any section → a warning that names section and key", async () => {
    const strange = configuration([...journal, "strange = 1"], ["odd = 2"]).replace(
      "[RelBib]",
      "[RelBib]\nqueer = 3",
    );
    expect((await take(strange, noneMissing)).warnings).toEqual([
      'Invalid ini entry "odd" in section ""',
      'Invalid ini entry "queer" in section "RelBib"',
      'Invalid ini entry "strange" in section "A journal : of tests"',
    ]);
  });
});

describe("two imports at once", () => {
  it.each([
    ["adds what the first has not", ini + other],
    ["removes what the first has", ini],
  ])("the second %s → it is kept out, said who and since when; a dry run is not", async (_what, text) => {
    await take(ini + other);
    store.meanwhile = async () => {
      store.meanwhile = undefined;
      await expect(take(text)).rejects.toThrow(
        "another import is under way: a test, since 2026-11-20T10:00:00.000Z; import once more when it has ended, or after 2026-11-20T10:02:00.000Z",
      );
      expect((await take(text, {}, { dryRun: true })).type).toBe("imported");
    };
    const changed = (ini + other).replaceAll("zotero_type = RSS", "zotero_type = CRAWL");
    expect(await take(changed)).toMatchObject({ version: 2 });
    expect((await take(changed)).changes).toEqual([]);
  });

  it("the first was killed → the second waits for two minutes, no more", async () => {
    store.diesAfter = 0;
    await expect(take(ini)).rejects.toThrow("killed");
    store.diesAfter = undefined;
    time = new Date("2026-11-20T10:01:59Z");
    await expect(take(ini)).rejects.toThrow("another import is under way");
    time = new Date("2026-11-20T10:02:00Z");
    expect(await take(ini)).toMatchObject({ type: "imported" });
  });

  it("the first has slept for so long that the second took over → it stops, and says so", async () => {
    const group = ini
      .replace("isil = DE-1", "isil = DE-9")
      .replace("zotero_type = RSS", "zotero_type = CRAWL");
    await take(ini);
    store.meanwhile = async () => {
      store.meanwhile = undefined;
      time = new Date("2026-11-20T11:00:00Z");
      const rival = { holder: "rival", by: "another", since: "", untilMs: time.getTime() + 1000 };
      expect(await store.lease(rival, time)).toEqual(rival);
    };
    await expect(take(group)).rejects.toThrow(ThrottledError);
    expect((await store.item({ kind: "source", id: "ixtheo-4711" }))?.value).toMatchObject({ type: "RSS" });
  });

  it("refused, or with nothing to write → the next one need not wait", async () => {
    await take(ini);
    await take(ini);
    await take("groups =");
    expect(await take(ini + other)).toMatchObject({ version: 2 });
  });
});

describe("removals", () => {
  const journals = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `\n[Journal ${index}]\n${journal.join("\n").replace("4711", String(5000 + index))}`,
    ).join("");
  const withoutOther = ini.replace("groups = IxTheo,Other", "groups = IxTheo").replace(/\[Other\][^[]*/, "");
  const sftp = {
    type: "SFTP",
    host: "receiver.example",
    username: "i",
    hostKeyFingerprint: `SHA256:${"A".repeat(43)}`,
  };
  const asked = "Such removals have to be asked for: --allow-removals, or allowRemovals=true";

  it.each([
    { before: 6, after: 1, isRefused: false },
    { before: 6, after: 0, isRefused: true },
    { before: 59, after: 53, isRefused: false },
    { before: 58, after: 52, isRefused: true },
  ])("$after of $before further journals are left → refused: $isRefused, also in a dry run", async (one) => {
    const all = one.before + 1;
    await take(ini + journals(one.before));
    for (const dryRun of [true, false]) {
      const { type, problems } = await take(ini + journals(one.after), {}, { dryRun });
      if (one.isRefused) {
        expect(problems?.[0]?.message).toMatch(
          /^the file takes 6 of \d+ sources away \(ixtheo-50\d\d, .*: is it whole\?/,
        );
        expect(problems?.[0]?.message).toContain(`${6} of ${all} sources`);
        expect(problems?.[0]?.message).toContain(asked);
      } else expect(type).toBe("imported");
    }
    if (!one.isRefused) return;
    expect(store.stored.size).toBe(3 + all);
    const allowed = await take(ini + journals(one.after), {}, { allowRemovals: true });
    expect(allowed.names).toHaveLength(6);
  });

  it("of a group with a receiver → refused unless asked for; of one without → done", async () => {
    await take(ini);
    await store.setFields({ kind: "group", id: "Other" }, { destination: sftp, recordsPerFile: 7 });
    const loss = "group Other is removed with what operators have set: destination, recordsPerFile";
    expect(await take(withoutOther, noneMissing)).toMatchObject({
      type: "refused",
      problems: [
        {
          message: `the file takes group Other away, and where its files go (receiver.example): is it meant? ${asked}`,
        },
      ],
      warnings: [loss],
    });
    expect(await store.item({ kind: "group", id: "Other" })).toBeDefined();
    const allowed = await take(withoutOther, noneMissing, { allowRemovals: true });
    expect(allowed).toMatchObject({ warnings: [loss], names: [["removed", "Other", []]] });

    await take(ini);
    expect(await take(withoutOther, noneMissing)).toMatchObject({
      warnings: [],
      names: [["removed", "Other", []]],
    });
  });

  it("of sources with settings of operators → a warning for each of the first twenty", async () => {
    await take(ini + journals(22));
    for (let index = 0; index < 22; index += 1) {
      await store.setFields(
        { kind: "source", id: `ixtheo-${5000 + index}` },
        { throttleMs: 9, collectionId: "c" },
      );
    }
    const { warnings } = await take(ini, noneMissing, { allowRemovals: true });
    expect(warnings).toHaveLength(21);
    expect(warnings[0]).toBe(
      "source ixtheo-5000 (Journal 0) is removed with what operators have set: throttleMs, collectionId",
    );
    expect(warnings[20]).toBe("2 more are removed with what operators have set");
  });
});

describe("a list that is not there", () => {
  const lists: EnhancementFiles = { nameBlacklist: "Editor", genreKeywords: "x", licences: "2049-3630=l" };
  const { licences: _licences, ...twoLists } = lists;
  const noMap =
    "so no ISSN_to_licence.map: a journal without a licence of its own gets what its items say, else ZZ";

  it.each<{
    title: string;
    stored?: EnhancementFiles;
    files: EnhancementFiles;
    listPlace?: ListPlace;
    says: string[];
  }>([
    {
      title: "no folder",
      files: twoLists,
      listPlace: { folder: "/none", isThere: false },
      says: [`there is no folder "/none", ${noMap}`],
    },
    {
      title: "a folder without it",
      files: twoLists,
      listPlace: { folder: "/maps", isThere: true },
      says: [`the folder "/maps" has ${noMap.slice(3)}`],
    },
    {
      title: "a folder without it, and one is stored",
      stored: lists,
      files: twoLists,
      listPlace: { folder: "/maps", isThere: true },
      says: ['the folder "/maps" has no ISSN_to_licence.map: the stored list stays as it is'],
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
        "author_name_blacklist.txt is empty, and takes the 2 stored entries away: words that are no part of a name stay in names",
        "ISSN_to_licence.map is empty, and takes the stored entry away: a journal without a licence of its own gets what its items say, else ZZ",
      ],
    },
    { title: "empty, and the stored one is, too", stored: noneMissing, files: noneMissing, says: [] },
    { title: "all there", files: lists, listPlace: { folder: "/maps", isThere: true }, says: [] },
  ])("$title → $says", async ({ stored, files, listPlace, says }) => {
    if (stored) await take(ini, stored);
    const { warnings } = await take(ini, files, listPlace && { listPlace });
    expect(warnings).toEqual(says.map((one) => `enhancement_maps_directory: ${one}`));
  });
});

describe("what DynamoDB would not take", () => {
  const many = (prefix: string) => Array.from({ length: 30_000 }, (_, index) => `${prefix}${index} = x`);
  const names = Array.from({ length: 60_000 }, (_, index) => `Name${index}`).join("\n");

  it.each<{ title: string; text: string; files: EnhancementFiles; line: number; says: RegExp }>([
    {
      title: "a journal",
      text: configuration([...journal, ...many("suppress_json_field_f")]),
      files: {},
      line: 23,
      says: /^the section "A journal : of tests" has \d+ kB as it is stored, more than the 390 kB that fit: filters \d+ kB$/,
    },
    {
      title: "a list",
      text: ini,
      files: { nameBlacklist: names },
      line: 1,
      says: /^the section "" has \d+ kB .*: author_name_blacklist\.txt \d+ kB$/,
    },
  ])(
    "$title → refused with its size, also in a dry run; nothing is written",
    async ({ text, files, line, says }) => {
      for (const dryRun of [true, false]) {
        const { type, problems } = await take(text, files, { dryRun });
        expect({ type, problems }).toEqual({
          type: "refused",
          problems: [{ line, message: expect.stringMatching(says) }],
        });
      }
      expect(store.stored.size).toBe(0);
    },
  );

  it("a list beside another that is stored → refused", async () => {
    const half = names.slice(0, names.length / 2);
    expect(await take(ini, { nameBlacklist: half })).toMatchObject({ type: "imported" });
    expect(await take(ini, { genreKeywords: half })).toMatchObject({ type: "refused" });
  });
});

describe("an import that breaks off", () => {
  it.each([0, 1, 2, 3])(
    "after %i writes → every source has its group, and the old ones are there",
    async (writes) => {
      await take(ini + other);
      const group =
        "[Another]\nuser_agent = a\nisil = DE-2\noutput_folder = a\nauthor_swb_lookup_url = https://example.org/n?q=\n";
      const next = ini
        .replace("groups = IxTheo,Other", "groups = IxTheo,Another")
        .replace("[Other]", `${group}[Other]`);
      const moved =
        next.replace(/\[Other\][^[]*/, "") +
        other.replace("IxTheo", "Another").replace("4712", "4713").replace("Another journal", "A third");
      store.diesAfter = writes;
      await expect(take(moved)).rejects.toThrow("killed");
      const { groups, sources } = configurationOf(await store.items());
      const ids = groups.map(({ groupId }) => groupId);
      expect(sources.filter(({ groupId }) => !ids.includes(groupId))).toEqual([]);
      expect(sources.map(({ sourceId }) => sourceId)).toContain("ixtheo-4711");
      // Gone only when all else is written.
      if (writes < 3) expect(sources.map(({ sourceId }) => sourceId)).toContain("ixtheo-4712");
    },
  );
});

describe("what the file does not hold", () => {
  it.each<{ given: EnhancementFiles; later: EnhancementFiles; names: string[]; keywords: string[] }>([
    { given: { nameBlacklist: "Editor\n# no\nThe" }, later: {}, names: ["Editor", "The"], keywords: [] },
    {
      given: { genreKeywords: "Open Access" },
      later: { nameBlacklist: "Hgg." },
      names: ["Hgg."],
      keywords: ["Open Access"],
    },
    { given: { nameBlacklist: "Editor" }, later: { nameBlacklist: "" }, names: [], keywords: [] },
  ])(
    "lists $given, then $later → names $names, keywords $keywords",
    async ({ given, later, names, keywords }) => {
      await take(ini, given);
      await take(ini, later);
      const { settings } = configurationOf(await store.items());
      expect(settings).toMatchObject({ nameBlacklist: names, genreKeywords: keywords });
    },
  );

  it("what operators have set on an item → stays when the file changes it", async () => {
    await take(ini);
    const own = {
      throttleMs: 9000,
      obeyRobots: false,
      collectionId: "coll",
      crawl: { maxDepth: 0, maxPages: 50, sitemaps: true },
    };
    for (const [name, set] of [
      ["group IxTheo", { recipients: ["a@example.org"] }],
      ["source ixtheo-4711", own],
    ] as const) {
      const item = JSON.parse(store.stored.get(name) ?? "");
      store.stored.set(name, JSON.stringify({ ...item, value: { ...item.value, ...set } }));
    }
    await take(
      ini
        .replace("isil = DE-Tue135", "isil = DE-2")
        .replace("zeder_id = 4711", "zeder_id = 4711\nssgn = FG_0"),
    );
    const { groups, sources } = configurationOf(await store.items());
    expect(groups[0]).toMatchObject({ isil: "DE-2", recipients: ["a@example.org"] });
    expect(sources[0]).toMatchObject({ ssgn: "FG_0", ...own });
  });
});

it("a stored group that is not valid → an error that names it", async () => {
  await take(ini);
  const [group] = (await store.items()).filter(({ kind }) => kind === "group");
  const spoilt = [{ ...group, value: { ...group?.value, recordsPerFile: 0 } }] as ConfigurationItem[];
  expect(() => configurationOf(spoilt)).toThrow(/^group IxTheo is not valid: recordsPerFile: /);
});

describe("an export", () => {
  it("imported again → nothing changes", async () => {
    await take(ini + other);
    expect(await take(exportIni(configurationOf(await store.items())))).toMatchObject({ changes: [] });
  });

  it("of what operators have set, and of lists → tells what the file does not hold", async () => {
    await take(ini + other, { nameBlacklist: "Editor\nThe", genreKeywords: "x" });
    const { settings, groups, sources } = configurationOf(await store.items());
    const set = { throttleMs: 9000, obeyRobots: false, addedAt: "2026-11-01", collectionId: "coll" };
    const [first, second] = sources as [Source, Source];
    const [ixtheo, others] = groups as [Group, Group];
    const destination = { type: "SFTP", host: "r.example", username: "i", hostKeyFingerprint: "SHA256:x" };
    const told = leftOutOfFile({
      settings,
      groups: [
        { ...ixtheo, destination, recordsPerFile: 7, subjectMark: "abcd" } as Group,
        { ...others, recipients: ["a@example.org"] },
      ],
      sources: [
        { ...first, ...set, crawl: { ...first.crawl, maxPages: 7 } },
        { ...second, throttleMs: 0, crawl: { ...second.crawl, sitemaps: true } },
      ],
    });
    expect(told).toEqual([
      "recipients of 1 group: Other",
      "destination of 1 group: IxTheo",
      "recordsPerFile of 1 group: IxTheo",
      "subjectMark of 1 group: IxTheo",
      "addedAt of 1 source: ixtheo-4711",
      "throttleMs of 2 sources: ixtheo-4711, ixtheo-4712",
      "obeyRobots of 1 source: ixtheo-4711",
      "collectionId of 1 source: ixtheo-4711",
      "crawl.maxPages of 1 source: ixtheo-4711",
      "crawl.sitemaps of 1 source: ixtheo-4712",
      "author_name_blacklist.txt, a file of its own with 2 entries",
      "marc655_keywords.txt, a file of its own with 1 entry",
    ]);
  });

  it("of many sources with a field → names ten of them; of what an import alone has made → tells nothing", async () => {
    await take(ini);
    const whole = configurationOf(await store.items());
    expect(leftOutOfFile(whole)).toEqual([]);
    const [one] = whole.sources as [Source];
    const sources = Array.from({ length: 12 }, (_, index) => ({
      ...one,
      sourceId: `s-${index}`,
      throttleMs: 1,
    }));
    expect(leftOutOfFile({ ...whole, sources })).toEqual([
      "throttleMs of 12 sources: s-0, s-1, s-2, s-3, s-4, s-5, s-6, s-7, s-8, s-9 and 2 more",
    ]);
  });

  it("of what the format has no room for → leaves it out and says so", async () => {
    await take(ini);
    const whole = configurationOf(await store.items());
    const [ixtheo, ...others] = whole.groups as [(typeof whole.groups)[0]];
    const { authorLookupUrl: _url, ...bare } = ixtheo;
    const [one] = whole.sources as [(typeof whole.sources)[0]];
    const { zederId: _id, ...plain } = one;
    const fitting = exportable({
      ...whole,
      groups: [bare, ...others],
      sources: [one, { ...plain, sourceId: "plain", groupId: "Other" }],
    });
    expect(fitting.leftOut).toEqual([
      "group IxTheo has no URL to look names up",
      "source ixtheo-4711 is of the group IxTheo, which is left out",
      "source plain has no Zeder id",
    ]);
    expect(fitting).toMatchObject({ groups: [{ groupId: "Other" }], sources: [] });
  });
});
