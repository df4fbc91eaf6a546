import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openJsonLinesLog } from "../../../local/cloud/json-lines-log.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const file = () => join(temporaryFolder(), "logs", "a.log");

test("a line → one JSON value per line, after what was there", () => {
  const path = file();
  openJsonLinesLog(path).append({ n: 1 });
  openJsonLinesLog(path).append({ n: 2 });
  expect(readFileSync(path, "utf8")).toBe('{"n":1}\n{"n":2}\n');
});

test("beyond 10 MB → set aside once, the newest stays", () => {
  const path = file();
  const journal = openJsonLinesLog(path);
  const line = "x".repeat(6_000_000);
  for (const n of [1, 2, 3]) journal.append(`${n}${line}`);
  expect(existsSync(`${path}.2`)).toBe(false);
  expect(readFileSync(`${path}.1`, "utf8").slice(0, 2)).toBe('"2');
  expect(statSync(path).size).toBe(line.length + 4);
});
