import { beforeEach, describe, expect, it } from "vitest";
import { ThrottledError } from "../../../../../shared/core/errors.ts";
import {
  type ConfigurationItem,
  configurationOf,
} from "../../../../../shared/records/sources/configuration.ts";
import type { ListFiles } from "../../../../../shared/records/sources/list-files.ts";
import { configuration, journal } from "../fixtures.ts";
import { begin, emptyLists, ini, other, store, take, world } from "./import-world.ts";

beforeEach(begin);

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

  it("of a changed journal → that item alone is written, with the fields that differ and the item before", async () => {
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

  it("without a journal of the previous import → it is removed; items that no import wrote stay", async () => {
    store.stored.set(
      "source demo",
      JSON.stringify({ kind: "source", id: "demo", value: { sourceId: "demo" } }),
    );
    await take(ini + other);
    expect(await take(ini)).toMatchObject({ names: [["removed", "ixtheo-4712", []]] });
    expect(store.forgotten).toEqual(["ixtheo-4712"]);
    expect([...store.stored.keys()]).toContain("source demo");
  });

  it("as a dry run → reports the same and writes nothing", async () => {
    const dry = await take(ini, {}, { dryRun: true });
    expect(dry.names).toHaveLength(4);
    expect(dry.version).toBeUndefined();
    expect(store.stored.size).toBe(0);
    expect(store.versions).toEqual([]);
  });

  it("stopped between two steps → ends there with the reason of the stop; the next one writes the rest", async () => {
    const stop = new AbortController();
    store.meanwhile = async () => stop.abort(new Error("stopped by SIGINT"));
    await expect(take(ini, {}, { signal: stop.signal })).rejects.toThrow("stopped by SIGINT");
    store.meanwhile = undefined;
    const written = store.stored.size;
    expect(written).toBeGreaterThan(0);
    const rest = await take(ini);
    expect(rest).toMatchObject({ version: 2, unchanged: written });
    expect(rest.names).toHaveLength(4 - written);
    expect(await take(ini)).toMatchObject({ changes: [], unchanged: 4 });
  });

  it("that broke off → the next one writes the rest, as a version of its own", async () => {
    store.diesAfter = 2;
    await expect(take(ini)).rejects.toThrow("killed");
    store.diesAfter = undefined;
    world.time = new Date("2026-11-20T10:02:00Z");
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

  it("while others keep writing the same items → a ThrottledError", async () => {
    await take(ini);
    store.meanwhile = () => store.setFields({ kind: "group", id: "IxTheo" }, { recordsPerFile: 7 });
    await expect(take(ini.replace("isil = DE-Tue135", "isil = DE-9"))).rejects.toThrow(ThrottledError);
  });

  it("while another import takes the same version → the next version", async () => {
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

  it("of a file with problems → all are reported, nothing is written", async () => {
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
    expect((await take(strange, emptyLists)).warnings).toEqual([
      'Invalid ini entry "odd" in section ""',
      'Invalid ini entry "queer" in section "RelBib"',
      'Invalid ini entry "strange" in section "A journal : of tests"',
    ]);
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

describe("values that the file does not hold", () => {
  it.each<{ given: ListFiles; later: ListFiles; names: string[]; keywords: string[] }>([
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

  it("settings of operators on an item → kept when the file changes it", async () => {
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

it("a stored group that is invalid → an error that names it", async () => {
  await take(ini);
  const [group] = (await store.items()).filter(({ kind }) => kind === "group");
  const spoilt = [{ ...group, value: { ...group?.value, recordsPerFile: 0 } }] as ConfigurationItem[];
  expect(() => configurationOf(spoilt)).toThrow(/^group IxTheo is not valid: recordsPerFile: /);
});
