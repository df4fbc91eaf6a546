import { spawn } from "node:child_process";
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { lockStateDir } from "../../../local/cloud/lock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

test("held by a living process → says which", () => {
  const dir = temporaryFolder();
  lockStateDir(dir);
  expect(() => lockStateDir(dir)).toThrow(`${dir} is in use by process ${process.pid}`);
});

test("given back → may be taken again", () => {
  const dir = temporaryFolder();
  lockStateDir(dir)();
  expect(() => lockStateDir(dir)).not.toThrow();
});

test("held by a process that is gone → is taken over", () => {
  const dir = temporaryFolder();
  const longGone = 2 ** 22 + 1; // Above the highest process id that Linux gives.
  writeFileSync(join(dir, "lock"), String(longGone));
  expect(() => lockStateDir(dir)).not.toThrow();
});

test.each(["", "0", "-1", "no process"])(
  "a lock of %j, as a full disk left it → is taken over",
  (content) => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "lock"), content);
    const release = lockStateDir(dir);
    expect(readFileSync(join(dir, "lock"), "utf8")).toBe(String(process.pid));
    release();
    expect(readdirSync(dir)).toEqual([]);
  },
);

test("the disk is full → nothing is left, and the error says so", () => {
  const dir = temporaryFolder();
  const full = vi.spyOn(fs, "writeFileSync").mockImplementationOnce((file) => {
    fs.closeSync(fs.openSync(String(file), "w"));
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  syncBuiltinESMExports();
  try {
    expect(() => lockStateDir(dir)).toThrow("ENOSPC");
  } finally {
    full.mockRestore();
    syncBuiltinESMExports();
  }
  expect(readdirSync(dir)).toEqual([]);
});

test.runIf(existsSync("/proc/self/stat"))(
  "held by a process that was killed and not taken notice of → is taken over",
  async () => {
    const dir = temporaryFolder();
    // A shell that starts a child, becomes a program that waits for nobody, and so leaves the child a zombie.
    const parent = spawn("sh", ["-c", "sh -c 'echo $$' & exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const child = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
      await expect.poll(() => readFileSync(`/proc/${child}/stat`, "utf8")).toMatch(/\) Z /);
      writeFileSync(join(dir, "lock"), String(child));
      expect(() => lockStateDir(dir)).not.toThrow();
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
