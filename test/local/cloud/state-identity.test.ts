import { copyFileSync, existsSync, mkdirSync, rmSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createShutdown } from "../../../local/cloud/shutdown.ts";
import { startEmulators } from "../../../local/cloud/start-emulators.ts";
import { identifyState, storeFiles } from "../../../local/cloud/state-identity.ts";
import { ConfigError } from "../../../shared/core/errors.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

function run(file: string, sql: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** A state as an earlier version leaves it, without an identity. */
function oldState({ items, objects }: { items: boolean; objects: boolean }): string {
  const stateDir = join(temporaryFolder(), "state");
  const files = storeFiles(stateDir);
  run(files.tables, "PRAGMA journal_mode = WAL; CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT)");
  run(files.tables, "INSERT INTO entries VALUES ('table-sources', '{}')");
  run(files.objects, "CREATE TABLE s3_buckets (name TEXT); CREATE TABLE s3_objects (key TEXT)");
  run(files.objects, "INSERT INTO s3_buckets VALUES ('deliveries')");
  if (items) run(files.tables, "INSERT INTO entries VALUES ('item-sources~a', '{}')");
  if (objects) run(files.objects, "INSERT INTO s3_objects VALUES ('a')");
  return stateDir;
}

function identities(stateDir: string): unknown[] {
  return Object.values(storeFiles(stateDir)).map((file) => {
    const database = new DatabaseSync(file);
    const row = database.prepare("SELECT id, settled FROM state_identity").get();
    database.close();
    return row;
  });
}

function expectOneIdentity(stateDir: string): void {
  const [ofTables, ofObjects, ofSchedules] = identities(stateDir);
  expect(ofTables).toEqual(ofObjects);
  expect(ofTables).toEqual(ofSchedules);
  expect(ofTables).toMatchObject({ settled: 1 });
}

const held = [
  { items: false, objects: false },
  { items: true, objects: false },
  { items: false, objects: true },
  { items: true, objects: true },
];
const stores = ["tables", "objects"] as const;

describe("a state of an earlier version", () => {
  it.each(held)("%o → adopted once", (data) => {
    const stateDir = oldState(data);
    identifyState(stateDir);
    expectOneIdentity(stateDir);
    const adopted = identities(stateDir);
    identifyState(stateDir);
    expect(identities(stateDir)).toEqual(adopted);
  });

  it.each(held)("%o, killed between two stamps → the next start ends them", (data) => {
    const stateDir = oldState(data);
    const files = storeFiles(stateDir);
    identifyState(stateDir);
    run(files.tables, "UPDATE state_identity SET settled = 0");
    identifyState(stateDir);
    expectOneIdentity(stateDir);
    run(files.tables, "UPDATE state_identity SET settled = 0");
    run(files.objects, "DROP TABLE state_identity");
    identifyState(stateDir);
    expectOneIdentity(stateDir);
  });

  it.each(stores)("without the file of the %s → refused, and no file is made", (store) => {
    const stateDir = oldState({ items: true, objects: true });
    rmSync(storeFiles(stateDir)[store]);
    expect(() => identifyState(stateDir)).toThrow(`the file of the ${store} is missing or empty`);
    expect(existsSync(storeFiles(stateDir)[store])).toBe(false);
  });
});

describe("an identified state", () => {
  const lose = {
    missing: (file: string) => rmSync(file),
    "of 0 bytes": (file: string) => truncateSync(file, 0),
    "without rows": (file: string) => {
      rmSync(file);
      run(file, "CREATE TABLE entries (key TEXT); CREATE TABLE s3_buckets (name TEXT)");
    },
  };

  it.each(
    stores.flatMap((store) =>
      held.flatMap((data) =>
        Object.keys(lose).map((how) => ({ store, data, how: how as keyof typeof lose })),
      ),
    ),
  )("$store $how, holding $data → refused, at each start", ({ store, data, how }) => {
    const stateDir = oldState(data);
    identifyState(stateDir);
    lose[how](storeFiles(stateDir)[store]);
    for (let start = 0; start < 2; start++) {
      expect(() => identifyState(stateDir)).toThrow(ConfigError);
      expect(() => identifyState(stateDir)).toThrow(`the file of the ${store} is missing or empty`);
    }
  });

  it.each(stores)("the %s of another state → refused", (store) => {
    const [stateDir, other] = held.slice(2).map(oldState) as [string, string];
    identifyState(stateDir);
    identifyState(other);
    copyFileSync(storeFiles(other)[store], storeFiles(stateDir)[store]);
    expect(() => identifyState(stateDir)).toThrow("the tables and the objects are from different states");
  });

  it.each(stores)("the %s of a copy from before the update → refused", (store) => {
    const stateDir = oldState({ items: true, objects: true });
    const copy = join(temporaryFolder(), "copy");
    copyFileSync(storeFiles(stateDir)[store], copy);
    identifyState(stateDir);
    copyFileSync(copy, storeFiles(stateDir)[store]);
    expect(() => identifyState(stateDir)).toThrow(`the ${store} do not belong to the`);
  });
});

describe("the schedules", () => {
  const schedule = "CREATE TABLE schedules (name TEXT); INSERT INTO schedules VALUES ('recheck')";

  it.each([
    ["missing", (file: string) => rmSync(file)],
    ["of 0 bytes", (file: string) => truncateSync(file, 0)],
  ])("%s, though the tables hold items → refused, and no file is made", (_, lose) => {
    const stateDir = oldState({ items: true, objects: true });
    const { schedules } = storeFiles(stateDir);
    identifyState(stateDir);
    lose(schedules);
    const before = existsSync(schedules);
    expect(() => identifyState(stateDir)).toThrow("the file of the schedules is missing or empty");
    expect(existsSync(schedules)).toBe(before);
  });

  it("missing, and the tables hold no items: a first start was killed → made", () => {
    const stateDir = oldState({ items: false, objects: false });
    identifyState(stateDir);
    rmSync(storeFiles(stateDir).schedules);
    identifyState(stateDir);
    expectOneIdentity(stateDir);
  });

  it("without an identity, as earlier versions wrote them → adopted", () => {
    const stateDir = oldState({ items: true, objects: true });
    identifyState(stateDir);
    rmSync(storeFiles(stateDir).schedules);
    run(storeFiles(stateDir).schedules, schedule);
    identifyState(stateDir);
    expectOneIdentity(stateDir);
  });

  it("of another state → refused", () => {
    const [stateDir, other] = held.slice(2).map(oldState) as [string, string];
    identifyState(stateDir);
    identifyState(other);
    copyFileSync(storeFiles(other).schedules, storeFiles(stateDir).schedules);
    expect(() => identifyState(stateDir)).toThrow("the schedules are from a different state");
  });
});

it("emulators of a state without its tables → not started, and no file is made", async () => {
  const stateDir = oldState({ items: true, objects: true });
  const { tables } = storeFiles(stateDir);
  rmSync(tables);
  const resolver = { resourcesOfType: () => [] } as unknown as Parameters<typeof startEmulators>[0];
  const location = { region: "eu-central-1", account: "0", gatewayUrl: "http://localhost", apiUrl: "" };
  const starting = startEmulators(resolver, {
    stateDir,
    location,
    shutdown: createShutdown(),
    meter: undefined,
  });
  await expect(starting).rejects.toThrow("the file of the tables is missing or empty");
  expect(existsSync(tables)).toBe(false);
});

it("a new state → one identity, before anything else is in it", () => {
  const stateDir = join(temporaryFolder(), "state");
  identifyState(stateDir);
  expectOneIdentity(stateDir);
});
