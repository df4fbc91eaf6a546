import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { articlePath, articles } from "../../local/demo/articles.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { libraryEntries } from "../../local/package/library-entries.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { libraryExamples } from "./library/examples.ts";

const root = join(import.meta.dirname, "../..");
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** A folder with the packed package and the packages that it depends on, as `npm install` would make it. */
function install(): string {
  const folder = temporaryFolder();
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
  });
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  execFileSync("tar", ["-xzf", join(folder, packed.trim().split("\n").at(-1) ?? ""), "-C", modules]);
  execFileSync("mv", [join(modules, "package"), join(modules, "ingather")]);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  return folder;
}

let folder = "";
let site: DemoSite;
beforeAll(async () => {
  folder = install();
  site = await startDemoSite();
});
afterAll(() => site.close());

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

async function ingather(...args: string[]): Promise<Result> {
  const script = join(folder, "node_modules/ingather/local/ingather.js");
  const run = promisify(execFile)(process.execPath, [script, ...args], { cwd: folder });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** A program in TypeScript that uses each entry by its types. */
const userOfTheLibrary = `
import { type FeedResult, parseFeed } from "ingather/formats";
import { compileRule, type Judgement, judgeLink, readRule } from "ingather/links";
import { type MarcRecord, readMarcXml, writeMarcXml } from "ingather/marc";
import { type ListProgress, listBegin, nextListStep, parseOaiPage } from "ingather/oai";
import { type RobotsRules, readRobots } from "ingather/robots";
import { blockOf, formatCdxjLine, type WarcRecord } from "ingather/warc";

export const feed: FeedResult = parseFeed(new Uint8Array(), { url: "https://journal.example/" });
const title: string = feed.type === "feed" ? (feed.entries[0]?.title ?? "") : feed.detail;
export const judgement: Judgement = judgeLink(
  { type: "answered", hops: [{ url: title, status: 200 }], headers: {} },
  compileRule(readRule({ statusCodes: "5.." })),
);
export async function copy(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const records: MarcRecord[] = [];
  for await (const outcome of readMarcXml(chunks)) if (outcome.type === "record") records.push(outcome.record);
  return writeMarcXml(records);
}
export function next(body: Uint8Array): ListProgress {
  const result = parseOaiPage(body, { asXml: true, contentType: "text/xml" });
  if (result.type !== "page") return listBegin;
  const step = nextListStep(result.page, listBegin, { asked: undefined, bytes: 1, expectsRecords: true });
  return step.type === "expired" ? listBegin : step.progress;
}
export const robots: RobotsRules = readRobots("", "ExampleBot");
export const line: string = formatCdxjLine({
  ...{ url: title, date: new Date(), status: 200, contentType: undefined, isRevisit: false, digest: undefined },
  place: { filename: "a.warc.gz", offset: 0, length: 1 },
});
export const record: Pick<WarcRecord, "block"> = { block: blockOf("text") };
`;

describe("the packed package", () => {
  it("has compiled code only, and what it says about itself", () => {
    const own = (path: string) => existsSync(join(folder, "node_modules/ingather", path));
    expect(
      [
        "dist/ingather.js",
        "dist/judge-worker.js",
        "dist/build-worker.js",
        "README.md",
        "LICENSE",
        "cdk.json",
      ].filter((path) => !own(path)),
    ).toEqual([]);
    expect(["local/ingather.ts", "shared", "infra", "test"].filter(own)).toEqual([]);
  });

  it("harvests an article, whose record validates and whose links are checked", async () => {
    const [article] = articles;
    if (article === undefined) throw new Error("the demo has no article");
    const page = site.origin + articlePath(article);
    const harvested = await ingather("harvest", page, "--allow-private");
    expect(harvested.stdout).toContain("<record");
    const records = join(folder, "records.xml");
    writeFileSync(records, harvested.stdout);
    const rules = join(root, "docs/validation-rules.example.json");
    const validated = await ingather("validate", records, "--rules", rules, "--json");
    expect(validated.stdout).toContain('"outcome"');
    const links = join(folder, "links.txt");
    writeFileSync(links, `${page}\n`);
    const checked = await ingather("check-links", links, "--allow-private", "--delay", "0");
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("alive") });
  });

  it("converts items", async () => {
    const items = join(folder, "items.json");
    writeFileSync(
      items,
      JSON.stringify([{ itemType: "journalArticle", title: "Keys", url: site.origin, volume: "7" }]),
    );
    const config = join(root, "docs/example.conf");
    const converted = await ingather("convert", items, "--config", config, "--source", "Lantern & Lathe");
    expect(converted.stdout).toContain("Keys");
  });

  it("builds an index on threads", async () => {
    const [log, cdx] = [join(folder, "crawl.log"), join(folder, "crawl.cdx")];
    writeFileSync(
      log,
      "2020-01-01T00:00:00.000Z 200 10 http://a.example/ L - image/gif #001 20200101000000123+4 sha1:D - -\n",
    );
    writeFileSync(cdx, "http://a.example/ 1.2.3.4 20200101000001 image/gif 10 a.warc.gz 7\n");
    const job = ["--job", "1", "--crawl-log", log, "--cdx", cdx];
    const built = await ingather("index", ...job, "--threads", "2", "--out", join(folder, "index"));
    expect(built).toMatchObject({ code: 0, stdout: expect.stringContaining("1 entry") });
  });

  it("says in one line that its cdk.json is not JSON, whatever requests something", async () => {
    const path = join(folder, "node_modules/ingather/cdk.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, "{");
    try {
      const [page, links] = [site.origin, join(folder, "link.txt")];
      writeFileSync(links, `${page}\n`);
      for (const command of [
        ["harvest", page],
        ["check-links", links],
        ["capture", page, "--out", join(folder, "capture")],
        ["oai", page, "identify"],
        ["check-set", page],
      ]) {
        const { code, stderr } = await ingather(...command);
        expect({ command, code, stderr }).toEqual({
          command,
          code: 2,
          stderr: expect.stringMatching(/^[^\n]*cdk\.json[^\n]*is not JSON[^\n]*\n$/),
        });
      }
    } finally {
      writeFileSync(path, text);
    }
  });

  describe("imported by a program", () => {
    const run = promisify(execFile);

    it.each(libraryExamples(root))("$name → runs its example", async ({ name, code, output }) => {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, code);
      const { stdout } = await run(process.execPath, [file], { cwd: folder });
      expect(stdout).toBe(output);
    });

    it.each(libraryEntries(root))("$name → exports what its source exports", async ({ name, file }) => {
      const source = await import(join(root, file));
      const program = `console.log(Object.keys(await import("ingather/${name}")).join())`;
      const args = ["--input-type=module", "--eval", program];
      const { stdout } = await run(process.execPath, args, { cwd: folder });
      expect(stdout.trim().split(",").sort()).toEqual(Object.keys(source).sort());
    });

    it("in strict TypeScript → has types, and refuses what does not fit them", async () => {
      symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      const compilerOptions = {
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
        ...{ module: "nodenext", target: "es2024", types: ["node"], noEmit: true, skipLibCheck: false },
      };
      const project = join(folder, "tsconfig.json");
      writeFileSync(project, JSON.stringify({ compilerOptions, files: ["user.ts"] }));
      writeFileSync(join(folder, "user.ts"), userOfTheLibrary);
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      const checked = await run(process.execPath, [compiler, "--project", project]).catch((error) => error);
      expect(checked.stdout).toBe("");
      const wrong = userOfTheLibrary.replace("const title: string", "const title: number");
      writeFileSync(join(folder, "user.ts"), wrong);
      const refused = await run(process.execPath, [compiler, "--project", project]).catch((error) => error);
      expect(refused.stdout).toContain("is not assignable to type 'number'");
    });
  });

  it("says that the state of npm start needs a clone", async () => {
    expect(await ingather("export")).toMatchObject({ code: 2, stderr: expect.stringContaining("clone") });
  });
});
