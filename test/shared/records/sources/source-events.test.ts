import { describe, expect, it } from "vitest";
import type { ConfigurationItem } from "../../../../shared/records/sources/configuration.ts";
import { applySourceEvent, sourceEvent } from "../../../../shared/records/sources/source-events.ts";
import { assertEvent } from "../../assert-event.ts";
import { MemoryConfiguration } from "./memory-configuration.ts";

function world() {
  const items = new Map<string, ConfigurationItem>([
    ["group/G", { kind: "group", id: "G", value: { groupId: "G" } }],
    ["source/old", { kind: "source", id: "old", value: { sourceId: "old" } }],
  ]);
  const published: string[] = [];
  const withdrawn: string[] = [];
  const ended: string[] = [];
  const forgotten: string[] = [];
  const deletions: object[] = [];
  const dies = { beforeRegistration: false };
  let ticks = 0;
  const key = ({ kind, id }: Pick<ConfigurationItem, "kind" | "id">) => `${kind}/${id}`;
  const ports = {
    configuration: {
      item: async (of: Pick<ConfigurationItem, "kind" | "id">) => items.get(key(of)),
      add: async (item: ConfigurationItem) => !items.has(key(item)) && !!items.set(key(item), item),
      replace: async (item: ConfigurationItem) => !!items.set(key(item), item),
      remove: async (item: ConfigurationItem) => items.delete(key(item)),
      noteAnnounced: async ({ isUnannounced: _published, ...item }: ConfigurationItem) =>
        !!items.set(key(item), item),
      deletions: new MemoryConfiguration().deletions,
    },
    events: {
      publish: async (event: Parameters<typeof assertEvent>[0]) => {
        assertEvent(event);
        published.push(`${event.type} ${event.changeId}`);
      },
    },
    setRegistrations: {
      send: async ({ sourceId }: { sourceId: string }) => {
        if (dies.beforeRegistration) throw new Error("killed");
        withdrawn.push(sourceId);
      },
    },
    documentDeletions: { send: async (message: object) => void deletions.push(message) },
    harvests: { end: async (sourceId: string) => void ended.push(sourceId) },
    quality: { forget: async (sourceId: string) => void forgotten.push(sourceId) },
    clock: { now: () => new Date(Date.parse("2026-11-20T08:00:00Z") + ticks++), sleep: async () => {} },
  };
  const send = (type: string, detail: object) =>
    applySourceEvent(sourceEvent.parse({ "detail-type": type, source: "other", detail }), ports);
  return { items, published, withdrawn, ended, forgotten, deletions, dies, send };
}

const source = { sourceId: "s", title: "S", type: "RSS", url: "https://s.example/feed", groupId: "G" };

describe("a source event of another publisher", () => {
  it.each([
    [{}, []],
    [{ documents: "keep" }, []],
    [{ documents: "delete" }, [{ sourceId: "s", deletedAt: expect.any(String) }]],
  ])("source.deleted with %j → its documents are kept, or deleted", async (more, expected) => {
    const { send, deletions } = world();
    await send("source.new", { source });
    await send("source.deleted", { sourceId: "s", ...more });
    expect(deletions).toEqual(expected);
  });

  it("new, changed, deleted, each twice → done once; an addition and a deletion are published once", async () => {
    const { items, published, send } = world();
    for (const _time of [1, 2]) await send("source.new", { source });
    expect(items.get("source/s")?.value).toMatchObject({ title: "S" });
    for (const _time of [1, 2]) await send("source.opened", { sourceId: "s", change: { title: "T" } });
    expect(items.get("source/s")?.value).toMatchObject({ title: "T" });
    for (const _time of [1, 2]) await send("source.deleted", { sourceId: "s" });
    expect(items.has("source/s")).toBe(false);
    expect(published.map((text) => text.split(" ")[0])).toEqual([
      ...["source.new", "source.opened", "source.opened", "source.deleted"],
    ]);
    expect(new Set(published).size).toBe(3);
  });

  it("the same source added and deleted again → other ids", async () => {
    const { published, send } = world();
    for (const _time of [1, 2]) {
      await send("source.new", { source });
      await send("source.deleted", { sourceId: "s" });
    }
    expect(new Set(published).size).toBe(4);
  });

  it("a field changed, changed back and changed again → other ids", async () => {
    const { published, send } = world();
    await send("source.new", { source });
    for (const title of ["T", "S", "T"]) await send("source.opened", { sourceId: "s", change: { title } });
    expect(new Set(published).size).toBe(4);
  });

  it("deleted, and killed before its set is withdrawn → withdrawn, and its harvests ended, when it is deleted again", async () => {
    const { items, withdrawn, ended, forgotten, dies, send } = world();
    await send("source.new", { source });
    dies.beforeRegistration = true;
    await expect(send("source.deleted", { sourceId: "s" })).rejects.toThrow("killed");
    expect(items.has("source/s")).toBe(false);
    dies.beforeRegistration = false;
    await send("source.deleted", { sourceId: "s" });
    expect([withdrawn, ended, forgotten]).toEqual([["s"], ["s"], ["s"]]);
  });

  it.each([
    ["source.new", { source: { ...source, url: "ftp://s.example" } }, /^url: /],
    ["source.new", { source: { ...source, groupId: "none" } }, /^groupId: there is no such group/],
    ["source.new", { source: { ...source, sourceId: "old" } }, /^sourceId: another source has it/],
    ["source.opened", { sourceId: "none", change: {} }, /^sourceId: there is no such source/],
    ["source.deleted", { sourceId: "old" }, /^sourceId: is part of the imported configuration/],
  ])("%s %j → refused with the field", async (type, detail, reason) => {
    const { published, send } = world();
    await expect(send(type, detail)).rejects.toThrow(reason);
    expect(published).toEqual([]);
  });

  it.each([
    ["source.closed", {}],
    ["source.new", {}],
    ["source.deleted", { sourceId: "" }],
  ])("%s %j → malformed", (type, detail) => {
    expect(sourceEvent.safeParse({ "detail-type": type, detail }).success).toBe(false);
  });
});
