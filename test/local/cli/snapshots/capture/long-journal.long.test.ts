import { constants } from "node:buffer";
import { spawnSync } from "node:child_process";
import { appendFileSync, closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../temporary-folder.ts";

const script = join(import.meta.dirname, "../../../../../local/ingather.js");

/** Runs a capture of a host that refuses connections, with at most 256 MB of objects in memory. */
function capture(out: string): { status: number | null; last: Record<string, unknown> } {
  const args = ["capture", "http://127.0.0.1:1/", "--allow-private", "--delay", "0", "--out", out, "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env: { ...process.env, INGATHER_HANDED_OVER: "1", NODE_OPTIONS: "--max-old-space-size=256" },
    encoding: "utf8",
  });
  const last = stdout.trim().split("\n").at(-1) ?? "";
  expect(last, stderr).toMatch(/^\{/);
  return { status, last: JSON.parse(last) };
}

it("a journal that is longer than a string can be → the capture resumes with all of its entries", () => {
  const out = join(temporaryFolder(), "capture");
  const first = capture(out);
  const journal = join(out, "capture.jsonl");
  const entry = JSON.parse(readFileSync(journal, "utf8").trim().split("\n").at(-1) ?? "");
  const found = [{ url: entry.url, hops: "L", via: `http://127.0.0.1:1/${"x".repeat(8000)}` }];
  const line = `${JSON.stringify({ ...entry, found, bytes: 1 })}\n`;
  const block = line.repeat(1000);
  const file = openSync(journal, "a");
  let entries = 0;
  for (; statSync(journal).size <= constants.MAX_STRING_LENGTH; entries += 1000) writeSync(file, block);
  closeSync(file);
  appendFileSync(journal, '{"url":"http://127.0.0.1:1/not-finis');
  expect(capture(out)).toEqual({
    status: first.status,
    last: { ...first.last, bytes: Number(first.last.bytes) + entries },
  });
});
