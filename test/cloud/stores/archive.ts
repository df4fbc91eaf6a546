import { describe, expect, it } from "vitest";
import type { ArchiveClaim } from "../../../shared/records/archive/archive-entry.ts";
import { archiveEntryKey } from "../../../shared/records/archive/archive-keys.ts";
import type { KnownReason } from "../../../shared/records/archive/known-reason.ts";
import { type StoreTest, seconds, time } from "./world.ts";

/** What the archive promises. */
export function archiveCases(world: StoreTest): void {
  describe("a claim in the archive", () => {
    const now = new Date();
    const soon = seconds(now) + 3600;
    const claim = (owner: string, more: Partial<ArchiveClaim> = {}): ArchiveClaim => ({
      owner,
      entryKey: `record:${world.id}`,
      state: "claimed",
      ...more,
    });

    /** What a delivery says about its record. */
    const described = () => ({
      recordId: world.id,
      sourceId: "s",
      title: "T",
      hash: "h",
      urls: [],
      recordKey: "k",
      at: time(1),
    });

    it("delivered → found by its source and day; reserved by one update, which replaces its description", async () => {
      const { archive } = world.stores;
      const sourceId = `s-${world.id}`;
      const entryKey = archiveEntryKey(world.id, "LIVE");
      const owner = { owner: "o", entryKey, state: "automatic" as const };
      await archive.claim(entryKey, { ...owner, state: "claimed" }, now);
      await archive.saveEntry({ ...described(), sourceId, doi: "10.1/a", keys: [entryKey], ...owner });
      const keysOf = async (mode: "LIVE" | "TEST", days: { from?: string; to?: string }) => {
        const found: string[] = [];
        for await (const page of archive.entryKeysOfSource(sourceId, mode, days)) found.push(...page);
        return found;
      };
      expect(await keysOf("LIVE", {})).toEqual([entryKey]);
      expect(await keysOf("LIVE", { from: "2026-11-01", to: "2026-11-01" })).toEqual([entryKey]);
      expect(await keysOf("LIVE", { from: "2026-11-02" })).toEqual([]);
      expect(await keysOf("LIVE", { to: "2026-10-31" })).toEqual([]);
      expect(await keysOf("TEST", {})).toEqual([]);
      const wanted = { owner: "o", recordKey: "k" };
      const reserve = (update: string, more: object = {}) =>
        archive.reserveUpdate(entryKey, { ...wanted, update, ...more });
      expect(await reserve("u1", { recordKey: "other" })).toBe(false);
      expect(await reserve("u1", { owner: "other" })).toBe(false);
      for (const _time of [1, 2]) expect(await reserve("u1")).toBe(true);
      expect(await reserve("u2")).toBe(false);
      expect(await reserve("u2", { insteadOf: "u1" })).toBe(true);
      const updated = { title: "New", hash: "h2", urls: [], recordKey: "k2", keys: [entryKey], at: time(2) };
      const save = (update: string) =>
        archive.saveUpdate(entryKey, { owner: "o", update, doi: undefined, file: "f", ...updated });
      await save("u1");
      expect(await archive.entry(entryKey)).toMatchObject({ title: "T", pendingUpdate: "u2" });
      await save("u2");
      const { doi, pendingUpdate, ...entry } = (await archive.entry(entryKey)) ?? {};
      expect([doi, pendingUpdate]).toEqual([undefined, undefined]);
      expect(entry).toMatchObject({ ...updated, state: "automatic", file: "f" });
      expect(await keysOf("LIVE", { from: "2026-11-02", to: "2026-11-02" })).toEqual([entryKey]);
      expect(await reserve("u3")).toBe(false);
      expect(await archive.reserveUpdate(entryKey, { ...wanted, recordKey: "k2", update: "u3" })).toBe(true);
      await archive.setState(entryKey, "o", "reset");
      await archive.claim(entryKey, { ...owner, owner: "new", state: "claimed" }, now);
      expect(await archive.claimOf(entryKey)).not.toHaveProperty("pendingUpdate");
    });

    it("described → found by the beginning of its title, in pages, until another claims it", async () => {
      const mark = world.id.replaceAll(/[^a-z0-9]/gi, "").toLowerCase();
      const keep = async (name: string, title: string, entryMode: "LIVE" | "TEST" = "LIVE") => {
        const recordId = `${world.id}-${name}`;
        const entryKey = archiveEntryKey(recordId, entryMode);
        const owner = { owner: name, entryKey, state: "automatic" as const };
        await world.stores.archive.claim(entryKey, { ...owner, state: "claimed" }, now);
        await world.stores.archive.saveEntry({ ...described(), recordId, title, keys: [entryKey], ...owner });
        await world.stores.archive.setState(entryKey, name, "reset");
        return entryKey;
      };
      await keep("b", `${mark}: Über Löwen`);
      const a = await keep("a", `${mark} uber lowen`);
      await keep("c", `${mark} Zebras`);
      await keep("d", `${mark} uber lowen`, "TEST");
      const find = async (title: string, limit = 9) => {
        const ids: string[] = [];
        let last: { recordId: string; title: string } | undefined;
        do {
          const page = await world.stores.archive.byTitle(title, "LIVE", { limit, after: last });
          ids.push(...page.map(({ recordId }) => recordId.slice(world.id.length + 1)));
          last = page.length < limit ? undefined : page.at(-1);
        } while (last !== undefined);
        // DynamoDB gives entries of one title in any order.
        return ids.toSorted();
      };
      expect(await find(`${mark} UBER`, 1)).toEqual(["a", "b"]);
      expect(await find(mark)).toEqual(["a", "b", "c"]);
      expect(await find(`${mark}x`)).toEqual([]);
      await world.stores.archive.claim(a, { owner: "new", entryKey: a, state: "claimed" }, now);
      expect(await find(mark)).toEqual(["b", "c"]);
    });

    it.each<[string, Partial<ArchiveClaim>, boolean, KnownReason | undefined]>([
      ["claimed → not another's, known", {}, false, "claimed"],
      ["delivered → not another's, known", { state: "automatic" }, false, "delivered"],
      ["ignored → not another's, known", { state: "ignore" }, false, "ignored"],
      ["delivered by hand → not another's, known", { state: "manual" }, false, "elsewhere"],
      ["refused → another's, unknown", { state: "error", expiresAt: soon }, true, undefined],
      ["reset → another's, unknown", { state: "reset" }, true, undefined],
      ["online-first → not another's, known", { state: "online_first", expiresAt: soon }, false, "waiting"],
      [
        "online-first, expired → another's, unknown",
        { state: "online_first", expiresAt: seconds(now) },
        true,
        undefined,
      ],
    ])("%s", async (_title, held, isFree, knownAs) => {
      expect(await world.stores.archive.claim(world.id, claim("first", held), now)).toBe(true);
      expect(await world.stores.archive.claim(world.id, claim("first"), now)).toBe(true);
      expect(
        (await world.stores.archive.knownReasons([world.id, `${world.id}-other`, world.id])).get(world.id),
      ).toBe(knownAs);
      expect(await world.stores.archive.claim(world.id, claim("second"), now)).toBe(isFree);
      expect(await world.stores.archive.claim(world.id, claim("first"), now)).toBe(!isFree);
    });

    it("released by its owner → free; by another → kept", async () => {
      await world.stores.archive.claim(world.id, claim("first"), now);
      await world.stores.archive.releaseClaim(world.id, "second");
      expect(await world.stores.archive.claim(world.id, claim("second"), now)).toBe(false);
      await world.stores.archive.releaseClaim(world.id, "first");
      await world.stores.archive.releaseClaim(world.id, "first");
      expect(await world.stores.archive.claim(world.id, claim("second"), now)).toBe(true);
    });

    it("described by its owner → found by each key; by another owner, or after an operator's change → unchanged", async () => {
      const keys = [`record:${world.id}`, `url:${world.id}`];
      for (const key of keys) await world.stores.archive.claim(key, claim("first"), now);
      expect(await world.stores.archive.entry(`url:${world.id}`)).toBeUndefined();
      const reasonOfUrl = async () =>
        (await world.stores.archive.knownReasons([`url:${world.id}`])).get(`url:${world.id}`);
      expect(await reasonOfUrl()).toBe("claimed");
      const entry = { ...described(), ...claim("first", { state: "automatic" }), keys };
      await world.stores.archive.saveEntry({ ...entry, owner: "second", title: "another's" });
      expect(await world.stores.archive.entry(`url:${world.id}`)).toBeUndefined();
      await world.stores.archive.saveEntry(entry);
      expect(await world.stores.archive.entry(`url:${world.id}`)).toEqual(entry);
      expect(await reasonOfUrl()).toBe("delivered");
      await world.stores.archive.setState(`record:${world.id}`, "second", "reset");
      expect((await world.stores.archive.entry(`url:${world.id}`))?.state).toBe("automatic");
      await world.stores.archive.setState(`record:${world.id}`, "first", "reset");
      await world.stores.archive.saveEntry(entry);
      expect((await world.stores.archive.entry(`url:${world.id}`))?.state).toBe("reset");
    });

    it("claimed again after a reset → no entry until it is described, which keeps the file of its delivery", async () => {
      const key = `record:${world.id}`;
      const entry = (owner: string, more: Partial<ArchiveClaim>) => ({
        ...described(),
        ...claim(owner, more),
        keys: [key],
      });
      await world.stores.archive.claim(key, claim("first"), now);
      await world.stores.archive.saveEntry({
        ...entry("first", { state: "automatic" }),
        file: "G_1.xml",
        doi: "10.5555/a",
      });
      await world.stores.archive.setState(key, "first", "reset");
      const refused = { state: "error" as const, expiresAt: soon };
      expect(await world.stores.archive.claim(key, claim("second", refused), now)).toBe(true);
      expect(await world.stores.archive.entry(key)).toBeUndefined();
      const { expiresAt: _soon, ...unexpiring } = entry("second", refused);
      await world.stores.archive.saveEntry({ ...unexpiring, error: "E" });
      expect(await world.stores.archive.entry(key)).toEqual({
        ...entry("second", refused),
        error: "E",
        file: "G_1.xml",
      });
    });
  });
}
