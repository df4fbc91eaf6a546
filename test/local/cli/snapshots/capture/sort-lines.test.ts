import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOfFile } from "../../../../../local/cli/snapshots/capture/lines-of-file.ts";
import { sortLines } from "../../../../../local/cli/snapshots/capture/sort-lines.ts";
import { seededRandom } from "../../../../../local/cloud/seeded-random.ts";
import { sortCdxj } from "../../../../../shared/snapshots/warc/cdxj.ts";
import { temporaryFolder } from "../../../../temporary-folder.ts";

/** Short and long lines, some the same, some empty, of one to four bytes a character. */
function randomLines(random: () => number): string[] {
  const letters = ["a", "b", " ", "ü", "漢", "\u{1F600}", "\r"];
  const letter = () => letters[Math.floor(random() * letters.length)] ?? "";
  return Array.from({ length: Math.floor(random() * 40) }, () =>
    Array.from({ length: Math.floor(random() ** 3 * 30) }, letter).join(""),
  );
}

function fileOf(text: string): string {
  const path = join(temporaryFolder(), "lines");
  writeFileSync(path, text);
  return path;
}

describe("linesOfFile", () => {
  it.each([1, 2, 3, 7, 64, 4096])("in chunks of %i bytes → the lines of the text", (chunkBytes) => {
    const random = seededRandom(chunkBytes);
    for (let round = 0; round < 20; round += 1) {
      const lines = randomLines(random);
      const rest = random() < 0.5 ? "" : "not finished";
      const text = lines.map((line) => `${line}\n`).join("");
      const path = fileOf(text + rest);
      const all = [...linesOfFile(path, { chunkBytes })].map(String);
      expect(all).toEqual(rest === "" ? lines : [...lines, rest]);
      const whole = linesOfFile(path, { chunkBytes, endsWhole: true });
      let next = whole.next();
      for (const line of lines) {
        expect(String(next.value)).toBe(line);
        next = whole.next();
      }
      expect(next).toEqual({ done: true, value: Buffer.byteLength(text) });
    }
  });
});

describe("sortLines", () => {
  it.each([1, 10, 100, 1000])("in runs of %i bytes → as they are sorted in memory", (runBytes) => {
    const random = seededRandom(runBytes);
    const runs: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const lines = randomLines(random);
      const from = fileOf(`${lines.map((line) => `${line}\n`).join("")}not finished`);
      const to = `${from}.sorted`;
      // Left by a killed process.
      writeFileSync(`${to}.run-90`, "z\n");
      runs.push(sortLines(from, to, runBytes));
      expect(readFileSync(to, "utf8")).toBe(
        sortCdxj(lines)
          .map((line) => `${line}\n`)
          .join(""),
      );
      expect(readdirSync(dirname(to)).sort()).toEqual([basename(from), basename(to)].sort());
    }
    expect(Math.max(...runs) > 1).toBe(runBytes < 1000);
  });
});
