import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConfigurationStore } from "../../shared/records/sources/conf/configuration-store.ts";
import type { ConfigurationItem } from "../../shared/records/sources/configuration.ts";
import { runCommand } from "../local/cli/commands/run-command.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { MemoryConfiguration } from "../shared/records/sources/memory-configuration.ts";
import { sharedCloud, stateFolder } from "./local-cloud.ts";

const worlds: [string, () => Promise<ConfigurationStore>][] = [
  ["in memory", async () => new MemoryConfiguration()],
  [
    "on DynamoDB",
    async () => {
      const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
      return configurationStore();
    },
  ],
];

beforeAll(async () => {
  await sharedCloud();
});

let ids = 0;

describe.each(worlds)("the configuration %s", (_where, open) => {
  let store: ConfigurationStore;
  let key: Pick<ConfigurationItem, "kind" | "id">;
  beforeEach(async () => {
    store = await open();
    ids += 1;
    key = { kind: "group", id: `group-${ids}` };
  });

  const read = async () => {
    const item = await store.item(key);
    if (item === undefined) throw new Error("no item");
    return item;
  };
  const changed = (before: ConfigurationItem, isil: string) =>
    store.apply(
      { type: "changed", item: { ...before, value: { ...before.value, isil } }, before, fields: ["isil"] },
      2,
    );
  const added = (isil: string) => store.apply({ type: "added", item: { ...key, value: { isil } } }, 1);

  it("fields of an item that there is not → nothing is written", async () => {
    expect(await store.setFields(key, { isil: "A" })).toBe(false);
    expect(await store.item(key)).toBeUndefined();
  });

  it("some fields set → the others stay, with the version", async () => {
    await added("A");
    expect(await store.setFields(key, { recordsPerFile: 7, destination: { type: "S3" } })).toBe(true);
    const value = { isil: "A", recordsPerFile: 7, destination: { type: "S3" } };
    expect(await read()).toMatchObject({ ...key, version: 1, value });
  });

  it("added twice → the first stands", async () => {
    expect([await added("A"), await added("B")]).toEqual([true, false]);
    expect((await read()).value).toEqual({ isil: "A" });
  });

  it("changed as it was read → so it is", async () => {
    await added("A");
    expect(await changed(await read(), "B")).toBe(true);
    expect(await changed(await read(), "C")).toBe(true);
    expect(await read()).toMatchObject({ version: 2, value: { isil: "C" } });
  });

  it.each<[string, () => Promise<unknown>]>([
    ["fields set", () => store.setFields(key, { recordsPerFile: 7 })],
    ["another import", async () => changed(await read(), "C")],
    ["a removal", async () => store.apply({ type: "removed", item: await read() }, 2)],
  ])("%s since it was read → a change stays out", async (_title, meanwhile) => {
    await added("A");
    const before = await read();
    await meanwhile();
    const now = await store.item(key);
    expect(await changed(before, "B")).toBe(false);
    expect(await store.item(key)).toEqual(now);
  });

  it("replaced as it was read → so it is, under its version; again → not", async () => {
    await added("A");
    const before = await read();
    const replace = (isil: string) => store.replace({ ...before, value: { isil } }, before);
    expect([await replace("B"), await replace("C")]).toEqual([true, false]);
    expect(await read()).toMatchObject({ version: 1, value: { isil: "B" } });
  });

  it("pages of a kind → in the order of the ids, after the one that is given", async () => {
    const named = ["c", "a", "b"].map((name) => ({
      kind: "source" as const,
      id: `page-${ids}-${name}`,
      value: {},
    }));
    for (const item of named) await store.put(item);
    const page = await store.page("source", { limit: 2, after: `page-${ids}-` });
    expect(page.map(({ id }) => id)).toEqual([`page-${ids}-a`, `page-${ids}-b`]);
    expect(await store.page("source", { limit: 9, after: `page-${ids}-c` })).toEqual([]);
    expect(await store.page("source", { limit: 1 })).toHaveLength(1);
  });

  it("removed as it was read → it is gone; written since → it stays", async () => {
    await added("A");
    const before = await read();
    await store.setFields(key, { recordsPerFile: 7 });
    expect(await store.apply({ type: "removed", item: before }, 2)).toBe(false);
    expect((await read()).value).toMatchObject({ recordsPerFile: 7 });
    expect(await store.apply({ type: "removed", item: await read() }, 2)).toBe(true);
    expect(await store.item(key)).toBeUndefined();
  });

  it("written by other means, with no count → changed as it was read, and not once it has one", async () => {
    await store.put({ ...key, value: { isil: "A" } });
    const before = await read();
    expect(await changed(before, "B")).toBe(true);
    expect(await changed(before, "C")).toBe(false);
    expect((await read()).value).toEqual({ isil: "B" });
  });
});

it("npx ingather import --aws while another import is in progress → exit code 2 that says which", async () => {
  const conf = join(stateFolder(), "x.conf");
  writeFileSync(conf, configuration(journal));
  const { leaseStore } = await import("../../shared/adapters/aws/lease-store.ts");
  const since = new Date().toISOString();
  const note = { by: "POST /config/import", since };
  const lease = { key: "import", holder: "x", untilMs: Date.now() + 600_000, note };
  await leaseStore().claim(lease, Date.now());
  const { code, stdout, stderr } = await runCommand(["import", conf, "--aws"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`another import is in progress: POST /config/import, since ${since}`);
  await leaseStore().release(lease);
  const freed = await runCommand(["import", conf, "--aws", "--allow-removals"]);
  expect([freed.code, freed.stderr]).toEqual([0, expect.not.stringContaining("in progress")]);
});

it("npx ingather import of a file with a bad journal → exit code 3 that names it; --strict → 1", async () => {
  const conf = join(stateFolder(), "x.conf");
  const take = (type: string, ...flags: string[]) => {
    const bad = journal.join("\n").replace("4711", "4799").replace("RSS", type);
    writeFileSync(conf, `${configuration(journal)}\n[Bad]\n${bad}`);
    return runCommand(["import", conf, "--aws", "--allow-removals", ...flags]);
  };
  await take("RSS");
  const { code, stdout, stderr } = await take("FEED");
  expect([code, stdout]).toEqual([3, expect.stringContaining("0 removed, 4 unchanged; 1 section left out;")]);
  const line = configuration(journal).split("\n").length + 1;
  expect(stderr).toContain(`x.conf:${line}: section "Bad" cannot be used: ixtheo-4799: left as stored`);
  expect(stderr).toContain('in section "Bad": invalid enum value for entry "zotero_type"!');
  const json = await take("FEED", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({ unusable: [{ title: "Bad", kept: ["ixtheo-4799"] }] });
  const strict = await take("FEED", "--strict");
  expect([strict.code, strict.stderr]).toEqual([
    1,
    expect.stringContaining("nothing is imported: 1 problem"),
  ]);
});

it("npx ingather import of a file without most of its journals → exit code 1; with --allow-removals → 0", async () => {
  const conf = join(stateFolder(), "x.conf");
  const journals = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `\n[Journal ${index}]\n${journal.join("\n").replace("4711", String(5000 + index))}`,
    ).join("");
  const take = async (count: number, ...flags: string[]) => {
    writeFileSync(conf, configuration(journal) + journals(count));
    return runCommand(["import", conf, "--aws", ...flags]);
  };
  await take(9, "--allow-removals");
  for (const flags of [[], ["--dry-run"]]) {
    const { code, stderr } = await take(2, ...flags);
    expect([code, stderr]).toEqual([1, expect.stringContaining("would remove 7 of 10 sources")]);
  }
  const { code, stdout } = await take(2, "--allow-removals");
  expect([code, stdout]).toEqual([0, expect.stringContaining("7 removed")]);
});

it("an import that has stopped → continues when its message is sent again; one that is done stays done", async () => {
  const { importJobStore } = await import("../../shared/adapters/records/import-job-store.ts");
  const imports = importJobStore();
  const importId = "import-stopped";
  const asked = {
    by: "anna",
    requestedAt: "2026-11-20T10:00:00.000Z",
    allowRemovals: false,
    isStrict: false,
  };
  const job = { importId, state: "waiting" as const, total: 1, applied: 0, ...asked };
  await imports.create(job, { ini: "", files: {} });
  for (const state of ["stopped", "running", "done", "stopped"] as const)
    await imports.update(importId, { state });
  expect(await imports.get(importId)).toEqual({ ...job, state: "done" });
});
