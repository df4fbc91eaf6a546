import { beforeEach, describe, expect, it } from "vitest";
import { ThrottledError } from "../../../../../shared/core/errors.ts";
import { journal } from "../fixtures.ts";
import { begin, emptyLists, ini, other, store, take, world } from "./import-world.ts";

beforeEach(begin);

describe("two imports at once", () => {
  it.each([
    ["adds what the first has not", ini + other],
    ["removes what the first has", ini],
  ])(
    "the second %s → refused, with the name and start of the first; a dry run is not",
    async (_what, text) => {
      await take(ini + other);
      store.meanwhile = async () => {
        store.meanwhile = undefined;
        await expect(take(text)).rejects.toThrow(
          "another import is in progress: a test, since 2026-11-20T10:00:00.000Z; import again when it has ended, or after 2026-11-20T10:02:00.000Z",
        );
        expect((await take(text, {}, { dryRun: true })).type).toBe("imported");
      };
      const changed = (ini + other).replaceAll("zotero_type = RSS", "zotero_type = CRAWL");
      expect(await take(changed)).toMatchObject({ version: 2 });
      expect((await take(changed)).changes).toEqual([]);
    },
  );

  it("the first was killed → the second is refused for two minutes", async () => {
    store.diesAfter = 0;
    await expect(take(ini)).rejects.toThrow("killed");
    store.diesAfter = undefined;
    world.time = new Date("2026-11-20T10:01:59Z");
    await expect(take(ini)).rejects.toThrow("another import is in progress");
    world.time = new Date("2026-11-20T10:02:00Z");
    expect(await take(ini)).toMatchObject({ type: "imported" });
  });

  it("the lease of the first runs out and the second takes it → the first stops with an error", async () => {
    const group = ini
      .replace("isil = DE-1", "isil = DE-9")
      .replace("zotero_type = RSS", "zotero_type = CRAWL");
    await take(ini);
    store.meanwhile = async () => {
      store.meanwhile = undefined;
      world.time = new Date("2026-11-20T11:00:00Z");
      const nowMs = world.time.getTime();
      const rival = { key: "import", holder: "rival", untilMs: nowMs + 1000 };
      expect(await store.leases.claim(rival, nowMs)).toEqual(rival);
    };
    await expect(take(group)).rejects.toThrow(ThrottledError);
    expect((await store.item({ kind: "source", id: "ixtheo-4711" }))?.value).toMatchObject({ type: "RSS" });
  });

  it("the first is refused, or has nothing to write → the second is not refused", async () => {
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
  const advice = "Use --allow-removals, or allowRemovals=true, if this is intended";

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
          /^the import would remove 6 of \d+ sources \(ixtheo-50\d\d, .*\), as if the file were truncated\./,
        );
        expect(problems?.[0]?.message).toContain(`${6} of ${all} sources`);
        expect(problems?.[0]?.message).toContain(advice);
      } else expect(type).toBe("imported");
    }
    if (!one.isRefused) return;
    expect(store.stored.size).toBe(3 + all);
    const allowed = await take(ini + journals(one.after), {}, { allowRemovals: true });
    expect(allowed.names).toHaveLength(6);
  });

  it("of a group with a receiver → refused unless permitted; of one without → done", async () => {
    await take(ini);
    await store.setFields({ kind: "group", id: "Other" }, { destination: sftp, recordsPerFile: 7 });
    const loss = "group Other is removed with the settings of operators: destination, recordsPerFile";
    expect(await take(withoutOther, emptyLists)).toMatchObject({
      type: "refused",
      problems: [
        {
          message: `the import would remove group Other with the receiver of its files (receiver.example). ${advice}`,
        },
      ],
      warnings: [loss],
    });
    expect(await store.item({ kind: "group", id: "Other" })).toBeDefined();
    const allowed = await take(withoutOther, emptyLists, { allowRemovals: true });
    expect(allowed).toMatchObject({ warnings: [loss], names: [["removed", "Other", []]] });

    await take(ini);
    expect(await take(withoutOther, emptyLists)).toMatchObject({
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
    const { warnings } = await take(ini, emptyLists, { allowRemovals: true });
    expect(warnings).toHaveLength(21);
    expect(warnings[0]).toBe(
      "source ixtheo-5000 (Journal 0) is removed with the settings of operators: throttleMs, collectionId",
    );
    expect(warnings[20]).toBe("2 more are removed with the settings of operators");
  });
});
