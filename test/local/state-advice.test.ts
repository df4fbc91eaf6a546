import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { storeFiles } from "../../local/cloud/state-identity.ts";
import { adviseOnLimit, adviseOnState } from "../../local/state-advice.ts";
import { ConfigError } from "../../shared/core/errors.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A state folder with databases, as those of the stores. */
function stateFolder(): string {
  const stateDir = temporaryFolder();
  for (const file of Object.values(storeFiles(stateDir))) {
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT)");
    const insert = database.prepare("INSERT INTO entries VALUES (?, ?)");
    database.exec("BEGIN");
    for (let row = 0; row < 2000; row++) insert.run(`key ${row}`, "x".repeat(100));
    database.exec("COMMIT");
    database.close();
  }
  return stateDir;
}

function error(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

it.each([
  ["ENOSPC", error("ENOSPC", "ENOSPC: no space left on device, write"), /free some space/],
  ["ENOSPC", new Error("database or disk is full"), /free some space/],
  ["EMFILE", error("EMFILE", "EMFILE: too many open files, open 'lock'"), /ulimit -n/],
  ["ENFILE", error("ENFILE", "ENFILE: file table overflow"), /close other programs/],
  ["ENOMEM", error("ENOMEM", "ENOMEM: not enough memory, read"), /more memory/],
  ["ENOMEM", error("ERR_SQLITE_ERROR", "out of memory"), /more memory/],
  ["EAGAIN", error("ERR_WORKER_INIT_FAILED", "Worker initialization failure: EAGAIN"), /ulimit -u/],
  ["EMFILE", error("ERR_WORKER_INIT_FAILED", "Worker initialization failure: EMFILE"), /ulimit -n/],
  ["ENOMEM", error("ERR_WORKER_INIT_FAILED", "Worker initialization failure: ENOMEM"), /more memory/],
  ["no permission", error("EACCES", "EACCES: permission denied, open"), /let this user write/],
])(
  "%s → named, with what helps, even beside a damaged file; nothing is to be deleted",
  (name, thrown, advice) => {
    const stateDir = stateFolder();
    writeFileSync(storeFiles(stateDir).tables, "not a database");
    expect(adviseOnState(thrown, stateDir)).toContain(`(${name})`);
    expect(adviseOnState(thrown, stateDir)).toMatch(advice);
    expect(adviseOnState(thrown, stateDir)).not.toMatch(/delete|damaged|new state/);
  },
);

it("another error of an intact state → keep it", () => {
  const advice = adviseOnState(new Error("database disk image is malformed"), stateFolder());
  expect(advice).toMatch(/finds no damage: keep it/);
  expect(advice).not.toMatch(/delete|new state/);
});

it("an intact state that this process has open → keep it", () => {
  const stateDir = stateFolder();
  const open = new DatabaseSync(storeFiles(stateDir).tables);
  open.exec("PRAGMA locking_mode = EXCLUSIVE; DELETE FROM entries WHERE key = 'key 1'");
  expect(adviseOnState(new Error("a bug"), stateDir)).toMatch(/finds no damage: keep it/);
  open.close();
});

it.each(["tables", "objects", "schedules"] as const)(
  "flipped bytes in the %s → the file is named, and kept",
  (store) => {
    const stateDir = stateFolder();
    const file = storeFiles(stateDir)[store];
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xa5, 8192, 20_480));
    const advice = adviseOnState(new Error("database disk image is malformed"), stateDir);
    expect(advice).toContain(`${file} is damaged`);
    expect(advice).toMatch(/from a copy.*start a new state with --state; .*delivers everything again\.$/);
    expect(advice).not.toMatch(/delete/);
  },
);

it("a store that cannot be read for the check → not called damaged", () => {
  const stateDir = temporaryFolder();
  mkdirSync(storeFiles(stateDir).tables, { recursive: true });
  expect(adviseOnState(new Error("unable to open database file"), stateDir)).toMatch(/keep it/);
});

it("a limit met outside the state → named, with what helps; other errors and those with advice → as they are", () => {
  const refused = error("EMFILE", "connect EMFILE 127.0.0.1:4566 - Local (undefined:undefined)");
  expect(adviseOnLimit(refused)).toMatch(/too many files open \(EMFILE\): connect.*ulimit -n/);
  expect(adviseOnLimit(new Error("EMFILE: too many open files."))).toContain("files. To continue");
  expect(adviseOnLimit(new Error("a bug"))).toBeUndefined();
  expect(adviseOnLimit(new ConfigError("EMFILE: raise ulimit -n"))).toBeUndefined();
});

it("schedules overwritten at the start → named as damaged", () => {
  const stateDir = stateFolder();
  const { schedules } = storeFiles(stateDir);
  writeFileSync(schedules, "garbage", { flag: "r+" });
  expect(adviseOnState(new Error("file is not a database"), stateDir)).toContain(`${schedules} is damaged`);
});
