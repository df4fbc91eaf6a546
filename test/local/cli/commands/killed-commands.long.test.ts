import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { configuration, journal } from "../../../shared/records/sources/fixtures.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { writeJob } from "./crawl-files.ts";
import { writeEmptyLists } from "./empty-lists.ts";
import { jsonLines } from "./run-command.ts";

const script = join(import.meta.dirname, "../../../../local/ingather.js");
const preload = pathToFileURL(join(import.meta.dirname, "die-at.ts")).href;

/** Runs a command in a process of its own, which may be killed just before a write: see `die-at.ts`. */
function run(args: string[], dieAt?: string): { end: string | number | null; values: unknown[] } {
  const { status, signal, stdout } = spawnSync(process.execPath, [script, ...args], {
    env: {
      ...process.env,
      ...{ AWS_ENDPOINT_URL: "", INGATHER_HANDED_OVER: "1" },
      ...(dieAt && { DIE_AT: dieAt, NODE_OPTIONS: `--import ${preload}` }),
    },
    encoding: "utf8",
  });
  return { end: signal ?? status, values: args[0] === "lookup" ? [] : jsonLines(stdout) };
}

/** The exit code of a lookup in an index. */
const lookUp = (index: string) => run(["lookup", index, "http://a.example/1", "sha1:D1"]).end;
const missing = 2;

describe("a command that kill -9 ends just before a write", () => {
  const shards = 4;

  it("index → prints nothing, and no index is named as complete; the same command builds the same index", () => {
    const folder = temporaryFolder();
    const { log, cdx } = writeJob(folder, "job", 50);
    const argsFor = (out: string) => [
      ...[
        "index",
        "--job",
        "7",
        "--crawl-log",
        log,
        "--cdx",
        cdx,
        "--shards",
        String(shards),
        "--out",
        out,
        "--json",
      ],
    ];
    const files = (out: string) =>
      Object.fromEntries(
        readdirSync(out)
          .toSorted()
          .map((name) => [name, readFileSync(join(out, name)).toString("base64")]),
      );
    const whole = join(folder, "whole");
    const complete = run(argsFor(whole));
    expect(complete).toMatchObject({ end: 0, values: [{ type: "job" }, { type: "summary", entries: 50 }] });
    expect(lookUp(whole)).toBe(0);
    let kills = 0;
    for (let nth = 1; ; nth += 2) {
      const out = join(folder, `killed-${nth}`);
      const killed = run(argsFor(out), `renameSync ${nth}`);
      if (killed.end === 0) break;
      kills += 1;
      expect(killed).toEqual({ end: "SIGKILL", values: [] });
      expect(lookUp(out)).toBe(missing);
      expect(run(argsFor(out))).toEqual(complete);
      expect(files(out)).toEqual(files(whole));
    }
    expect(kills).toBeGreaterThan(2);
  });

  it("import → prints nothing; the same import does the rest, and a further one finds nothing to do", () => {
    const folder = temporaryFolder();
    const file = join(folder, "journals.conf");
    writeFileSync(file, configuration(journal));
    writeEmptyLists(folder);
    const done = new Set<number>();
    for (const nth of [2, 5, 11, 13]) {
      const args = ["import", file, "--state", join(folder, `state-${nth}`), "--json"];
      expect(run(args, `run ${nth}`)).toEqual({ end: "SIGKILL", values: [] });
      const rest = run(args);
      expect(rest).toMatchObject({ end: 0, values: [{ type: "imported", sources: 1, groups: 2 }] });
      done.add(JSON.stringify(rest.values).match(/"added"/g)?.length ?? 0);
      expect(run(args)).toMatchObject({ end: 0, values: [{ type: "imported", changes: [] }] });
    }
    // The later the kill, the fewer of the four items are left.
    expect([...done]).toEqual([4, 1, 0]);
  });

  it("convert --out → whole records in order in the file; the same command writes the rest", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "journals.conf");
    writeFileSync(file, configuration(journal));
    writeEmptyLists(folder);
    const items = Array.from({ length: 400 }, (_, index) => ({
      ...{ itemType: "journalArticle", title: `Article ${index}`, date: "2021-05-06", volume: "12" },
      ...{ issue: "3", language: "en", url: `https://example.org/${index}`, abstractNote: "x".repeat(2000) },
    }));
    const input = join(folder, "items.json");
    writeFileSync(input, JSON.stringify(items));
    for (const format of ["marcxml", "iso2709"]) {
      const argsFor = (out: string) => [
        ...["convert", input, "--config", file, "--source", "ixtheo-4711"],
        ...["--format", format, "--out", out],
      ];
      const whole = join(folder, `whole-${format}`);
      expect(run(argsFor(whole)).end).toBe(0);
      let kills = 0;
      for (let nth = 1; ; nth += 2) {
        const out = join(folder, `killed-${format}-${nth}`);
        if (run(argsFor(out), `renameSync ${nth}`).end === 0) break;
        kills += 1;
        const written = existsSync(out) ? readFileSync(out) : Buffer.alloc(0);
        expect(readFileSync(whole).subarray(0, written.length).equals(written)).toBe(true);
        expect(run(argsFor(out)).end).toBe(0);
        expect(readFileSync(out).equals(readFileSync(whole))).toBe(true);
      }
      expect(kills).toBeGreaterThan(2);
    }
  });
});
