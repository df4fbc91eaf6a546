import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { subfieldValues } from "../../../../shared/marc/fields.ts";
import { readIso2709 } from "../../../../shared/marc/iso2709-reader.ts";
import { readMarcXml } from "../../../../shared/marc/marcxml-reader.ts";
import { recordsOf } from "../../../shared/marc/sample.ts";
import { configuration, journal } from "../../../shared/records/sources/fixtures.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { writeEmptyLists } from "./empty-lists.ts";
import { runCommand } from "./run-command.ts";

const folder = temporaryFolder();
writeEmptyLists(folder);
const conf = join(folder, "x.conf");
writeFileSync(conf, configuration(journal));
const script = join(import.meta.dirname, "../../../../local/ingather.js");
const configured = ["--config", conf, "--source", "ixtheo-4711"];

/** A good item, one with a note, a bad one, or none. */
const kinds = ["good", "noted", "dateless", "broken"] as const;
type Kind = (typeof kinds)[number];

function itemText(kind: Kind, index: number): string {
  const item = {
    itemType: "journalArticle",
    title: `Article ${index}`,
    date: kind === "dateless" ? "some day" : "2021-05-06",
    volume: "12",
    issue: "3",
    language: "en",
    url: `https://example.org/${index}`,
  };
  if (kind === "broken") return "{broken}";
  const note = kind === "noted" ? `,\n${JSON.stringify({ itemType: "note", note: "abs:A text" })}` : "";
  return JSON.stringify(item) + note;
}

const titlesOf = (items: readonly Kind[]) =>
  items.flatMap((kind, index) => (kind === "good" || kind === "noted" ? [`Article ${index}`] : []));
const listOf = (items: readonly Kind[]) => `[\n${items.map(itemText).join(",\n")}\n]\n`;

let files = 0;
function fileOf(content: string): string {
  const path = join(folder, `items-${files++}.json`);
  writeFileSync(path, content);
  return path;
}

async function titlesIn(bytes: Uint8Array, format: string): Promise<string[]> {
  const read = format === "iso2709" ? readIso2709 : readMarcXml;
  return (await recordsOf(read([bytes]))).flatMap((record) =>
    typeof record === "string" ? [record] : subfieldValues(record, "245", "a"),
  );
}

/** A signal that is aborted when the command has asked for it `times` times. */
function abortedAfter(times: number): AbortSignal {
  const controller = new AbortController();
  let left = times;
  return new Proxy(controller.signal, {
    get(signal, name) {
      if (name === "aborted" && left-- === 0) controller.abort(new Error("stopped"));
      const value: unknown = Reflect.get(signal, name, signal);
      return typeof value === "function" ? value.bind(signal) : value;
    },
  });
}

const itemKinds = fc.array(fc.constantFrom(...kinds), { maxLength: 40 });

describe("a conversion that is stopped at any place, repeatedly", () => {
  it("random items, formats and stops → the same command ends with the file of an undisturbed conversion; before, whole records in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        itemKinds,
        fc.constantFrom("marcxml", "iso2709"),
        fc.array(fc.nat(20), { maxLength: 4 }),
        async (items, format, stops) => {
          const path = fileOf(listOf(items));
          const args = ["convert", path, ...configured, "--format", format];
          const out = `${path}.out`;
          const titles = titlesOf(items);
          let ended: number | undefined;
          for (const stop of stops) {
            const { code, stderr } = await runCommand([...args, "--out", out], {
              signal: abortedAfter(stop),
            });
            if (code !== 130) {
              ended = code;
              break;
            }
            expect(stderr).toMatch(/Continue with the same command\n$/);
            if (!existsSync(out)) continue;
            const written = await titlesIn(readFileSync(out), format);
            expect(written).toEqual(titles.slice(0, written.length));
          }
          ended ??= (await runCommand([...args, "--out", out])).code;
          expect(ended).toBe(titles.length === items.length ? 0 : 1);
          expect(readFileSync(out).toString()).toBe((await runCommand(args)).stdout);
          expect(existsSync(`${out}.unfinished`)).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("items from a pipe", () => {
  it("an item → its record is written as soon as the next item shows that no note of it follows", async () => {
    const command = spawn(process.execPath, [script, "convert", "-", ...configured, "--format", "json"], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, INGATHER_HANDED_OVER: "1" },
    });
    const next = () =>
      new Promise<string>((resolve) => command.stdout.once("data", (data) => resolve(String(data))));
    command.stdin.write(`[${itemText("noted", 0)},`);
    for (const index of [0, 1, 2]) {
      const line = next();
      command.stdin.write(`${itemText("good", index + 1)},`);
      expect(await line).toContain(`Article ${index}`);
    }
    const rest = text(command.stdout);
    command.stdin.end(`${itemText("good", 4)}]`);
    expect(await rest).toMatch(/Article 3.*Article 4/s);
  });

  it("SIGINT while the next item is awaited → a whole file, how to resume, exit code 130", async () => {
    const command = spawn(process.execPath, [script, "convert", "-", ...configured], {
      env: { ...process.env, INGATHER_HANDED_OVER: "1" },
    });
    const said = text(command.stderr);
    const first = new Promise<string>((resolve) =>
      command.stdout.once("data", (data) => resolve(String(data))),
    );
    command.stdin.write(`[${itemText("good", 0)},${itemText("good", 1)},`);
    const begin = await first;
    const rest = text(command.stdout);
    command.kill("SIGINT");
    const titles = await titlesIn(Buffer.from(begin + (await rest)), "marcxml");
    expect([titles, await said]).toEqual([
      ["Article 0"],
      "Stopped after 1 item. With --out FILE, the same command resumes\n",
    ]);
    expect(command.exitCode ?? (await once(command, "exit"))[0]).toBe(130);
  });

  it("--out - → standard output", async () => {
    const { code, stdout } = await runCommand(["convert", "-", ...configured, "--out", "-"], {
      stdin: listOf(["good", "good"]),
    });
    expect([code, await titlesIn(Buffer.from(stdout), "marcxml")]).toEqual([0, ["Article 0", "Article 1"]]);
  });

  it("a list that ends too early → the records of its whole items, exit code 2", async () => {
    const whole = listOf(["good", "good", "good"]);
    const { code, stdout, stderr } = await runCommand(["convert", "-", ...configured], {
      stdin: whole.slice(0, -30),
    });
    expect([code, await titlesIn(Buffer.from(stdout), "marcxml")]).toEqual([2, ["Article 0", "Article 1"]]);
    expect(stderr).toMatch(/^ITEMS\.json: is not JSON: it ends too early/);
  });

  it("documents of MARCXML → converted", async () => {
    const marc =
      '<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader><datafield tag="245" ind1="0" ind2="0"><subfield code="a">A</subfield></datafield></record></collection>';
    const { stdout } = await runCommand(["convert", "-", "--from", "marcxml", ...configured], {
      stdin: marc,
    });
    expect(await titlesIn(Buffer.from(stdout), "marcxml")).toEqual(["A"]);
  });
});

describe("an item that cannot be read", () => {
  it("no JSON, or no UTF-8 → dropped alone with its line, exit code 1", async () => {
    const latin1 = Buffer.from('{"itemType":\n"\u00e4"}', "latin1").toString("latin1");
    const stdin = Buffer.from(
      `[${itemText("good", 0)},\n{broken},\n${latin1},${itemText("good", 3)}]`,
      "latin1",
    );
    const { code, stdout, stderr } = await runCommand(["convert", "-", ...configured], { stdin });
    expect([code, await titlesIn(Buffer.from(stdout), "marcxml")]).toEqual([1, ["Article 0", "Article 3"]]);
    expect(stderr).toMatch(/^dropped: malformed: line 1: is not JSON: .* \(item 2\)$/m);
    expect(stderr).toMatch(/^dropped: malformed: line 4 is not UTF-8 \(item 3\)$/m);
  });
});

describe("an output that cannot be written", () => {
  const many = listOf(Array.from({ length: 300 }, () => "good" as const));

  /** Runs the command in a shell, in a process of its own. */
  function shell(path: string, rest: string, before = ""): { code: number | null; stderr: string } {
    const words = [process.execPath, script, "convert", path, ...configured].map((word) => `'${word}'`);
    const done = spawnSync("bash", ["-c", `set -o pipefail; ${before}${words.join(" ")} ${rest}`], {
      env: { ...process.env, INGATHER_HANDED_OVER: "1" },
      encoding: "utf8",
    });
    return { code: done.status, stderr: done.stderr };
  }

  it("a closed pipe → exit code 141", () => {
    expect(shell(fileOf(many), "| head -c 10 > /dev/null").code).toBe(141);
  });

  it("a full disk behind standard output → exit code 2, said", () => {
    const { code, stderr } = shell(fileOf(many), "> /dev/full");
    expect([code, stderr]).toEqual([2, expect.stringContaining("The output cannot be written: ENOSPC")]);
  });

  it("a file that reaches the largest size that is permitted → exit code 2; later the same command completes it", async () => {
    const path = fileOf(many);
    const out = `${path}.out`;
    const { code, stderr } = shell(path, `--out '${out}'`, "ulimit -f 64; ");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--out: /)]);
    const whole = await runCommand(["convert", path, ...configured]);
    const rest = shell(path, `--out '${out}'`);
    expect(rest).toEqual({ code: 0, stderr: "" });
    expect(readFileSync(out).toString()).toBe(whole.stdout);
  });

  it("a file that exists → exit code 2, untouched", async () => {
    const out = fileOf("mine");
    const { code, stderr } = await runCommand(["convert", fileOf(many), ...configured, "--out", out]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--out: exists already/)]);
    expect([readFileSync(out, "utf8"), existsSync(`${out}.unfinished`)]).toEqual(["mine", false]);
  });

  it("an unfinished conversion of other items → exit code 2, untouched", async () => {
    const out = join(folder, "other.xml");
    const args = (items: readonly Kind[]) => ["convert", fileOf(listOf(items)), ...configured, "--out", out];
    const items = Array.from({ length: 20 }, () => "good" as const);
    expect((await runCommand(args(items), { signal: abortedAfter(8) })).code).toBe(130);
    const before = readFileSync(out, "utf8");
    expect(before).toContain("Article 0");
    for (const other of [["noted" as const, ...items], []]) {
      const { code, stderr } = await runCommand(args(other));
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^--out: holds an unfinished conversion of other items/),
      ]);
      expect(existsSync(`${out}.unfinished`)).toBe(true);
    }
    expect((await runCommand(args(items))).code).toBe(0);
  });
});

it("a terminal → the progress on standard error, none in a file", async () => {
  const path = fileOf(listOf(["good", "dateless"]));
  const { stderr } = await runCommand(["convert", path, ...configured], { terminal: true });
  expect(stderr).toContain("done");
  expect((await runCommand(["convert", path, ...configured])).stderr).not.toContain("done");
});

it("the same file again after it is complete → exit code 2, because it exists", async () => {
  const args = ["convert", fileOf(listOf(["good"])), ...configured, "--out", join(folder, "once.xml")];
  expect((await runCommand(args)).code).toBe(0);
  expect(await titlesIn(readFileSync(join(folder, "once.xml")), "marcxml")).toEqual(["Article 0"]);
  expect((await runCommand(args)).code).toBe(2);
});
