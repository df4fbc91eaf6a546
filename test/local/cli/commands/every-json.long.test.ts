import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { constants } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { allCommands } from "../../../../local/cli/commands/run-command-line.ts";
import { writeMarcXml } from "../../../../shared/marc/marcxml-writer.ts";
import { listen } from "../../../listen.ts";
import { configuration, journal } from "../../../shared/records/sources/fixtures.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { writeJob } from "./crawl-files.ts";
import { writeEmptyLists } from "./empty-lists.ts";
import { record, ruleFile, rules } from "./record-files.ts";

const script = join(import.meta.dirname, "../../../../local/ingather.js");
const preload = pathToFileURL(join(import.meta.dirname, "die-at.ts")).href;

/** What a command works with. */
interface World {
  folder: string;
  /** Of a server that answers no request, or of a port that refuses connections. */
  url: string;
  /** Whether its input is damaged. */
  isDamaged: boolean;
}

/** A command in the middle of its work, and when that is. */
interface Work {
  /** The arguments, with the option for JSON. */
  args(world: World): string[];
  /** `request`: a request that is not answered; `output`: its first output; else before a write, as in `die-at.ts`. */
  middle: "request" | "output" | `${"renameSync" | "run"} ${number}`;
  /** The beginning of its standard input, which never ends. */
  stdin?: string;
  /** Its output is records, without a last value about the whole. */
  isRecords?: true;
  /** It may have done all of its work when it notices the signal. */
  isShort?: true;
}

const marcXml = Buffer.from(writeMarcXml(Array.from({ length: 3000 }, (_, n) => record(String(n)))))
  .toString("utf8")
  .replace(/<\/(\w+:)?collection>\s*$/, "");
const items = Array.from({ length: 3000 }, (_, n) =>
  JSON.stringify({
    ...{ itemType: "journalArticle", title: `Title ${n}`, date: "2026", url: `https://a.example/${n}` },
    ...{ creators: [], tags: [], notes: [], attachments: [], volume: "1", pages: "1-2" },
  }),
);

function configurationFile(folder: string): string {
  const path = join(folder, "x.conf");
  writeFileSync(path, configuration(journal));
  writeEmptyLists(folder);
  return path;
}

const site = (args: (url: string, folder: string) => string[]): Work => ({
  args: ({ url, folder }) => [...args(url, folder), "--allow-private", "--json"],
  middle: "request",
});

/** Each command whose help names an option for JSON. */
const works: Record<string, Work> = {
  harvest: site((url) => ["harvest", `${url}/oai?verb=ListRecords&metadataPrefix=oai_dc`, "--delay", "0"]),
  oai: site((url) => ["oai", `${url}/oai`, "identify"]),
  preview: site((url) => ["preview", `${url}/feed`]),
  "check-links": site((url) => ["check-links", `${url}/a`]),
  "check-set": site((url) => ["check-set", `${url}/oai?verb=ListRecords&metadataPrefix=oai_dc`]),
  capture: site((url, folder) => ["capture", `${url}/`, "--out", join(folder, "capture"), "--delay", "0"]),
  upload: {
    args: ({ folder }) => {
      const path = join(folder, "records.xml");
      writeFileSync(path, `${marcXml}</collection>`);
      return ["upload", path, "--source", "s", "--json"];
    },
    middle: "request",
  },
  import: {
    args: ({ folder, isDamaged }) => {
      const path = configurationFile(folder);
      if (isDamaged) writeFileSync(path, "groups");
      return ["import", path, "--state", join(folder, "state"), "--json"];
    },
    middle: "run 5",
  },
  index: {
    args: ({ folder, isDamaged }) => {
      const { log, cdx } = writeJob(folder, "job", 50);
      const cut = join(folder, "cut.gz");
      writeFileSync(cut, gzipSync(readFileSync(log)).subarray(0, 40));
      const files = ["--crawl-log", isDamaged ? cut : log, "--cdx", cdx, "--out", join(folder, "index")];
      return ["index", "--job", "7", ...files, "--json"];
    },
    middle: "renameSync 1",
    isShort: true,
  },
  recipe: {
    args: ({ folder, isDamaged }) => {
      const [recipe, page] = [join(folder, "bees.toml"), join(folder, "page.html")];
      const valid = 'name = "B"\nhosts = ["b.example"]\n[fields]\nvolume = { css = ".v" }\n';
      writeFileSync(recipe, isDamaged ? "[" : valid);
      writeFileSync(page, "<title>On Bees</title><p class=v>12");
      return ["recipe", "try", recipe, page, "--json"];
    },
    middle: "output",
    isShort: true,
  },
  validate: {
    args: () => ["validate", "-", "--rules", ruleFile("rules.json", rules), "--json"],
    middle: "output",
    stdin: marcXml,
  },
  convert: {
    args: ({ folder }) => [
      ...["convert", "-", "--config", configurationFile(folder), "--source", "A journal : of tests"],
      ...["--format", "json"],
    ],
    middle: "output",
    stdin: `[${items.join(",\n")},`,
    isRecords: true,
  },
};

const help = (name: string) => allCommands[name]?.load().then(({ usage }) => usage);

/** Whether the help of a command has an option for JSON. */
const hasJson = (usage = "") => /^ {2}(--json\b|--(format|output) .*json\b)/m.test(usage);

/** Serves no request: it only says that there is one. */
async function silentServer(onRequest: () => void): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    if (url === "/robots.txt") return response.writeHead(404).end();
    if (url === "/token")
      return response.end(JSON.stringify({ access_token: "t", expires_in: 3600, token_type: "Bearer" }));
    onRequest();
  });
  const url = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}

const refusing = "http://127.0.0.1:1";

type How = "SIGINT" | "SIGTERM" | "SIGKILL" | "failure" | "full disk" | "closed pipe";

function isSignal(how: How): how is "SIGINT" | "SIGTERM" | "SIGKILL" {
  return how.startsWith("SIG");
}

interface Ending {
  /** The exit code, as shells say it. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command. @param how what happens to it in the middle of its work */
async function run(name: string, how: How): Promise<Ending> {
  const { args, middle, stdin = "" } = works[name] as Work;
  const isFailure = !isSignal(how);
  let child: ChildProcess | undefined;
  const strike = () => {
    if (isSignal(how)) child?.kill(how);
  };
  const url = isFailure ? refusing : await silentServer(strike);
  const folder = join(temporaryFolder(), "folder");
  mkdirSync(folder);
  const isWrite = /^(renameSync|run) /.test(middle);
  const given = args({ folder, url, isDamaged: isFailure });
  child = spawn(process.execPath, [script, ...given], {
    env: {
      ...process.env,
      ...{ AWS_ENDPOINT_URL: "", INGATHER_HANDED_OVER: "1" },
      ...{ INGATHER_API_URL: url, INGATHER_TOKEN_URL: `${url}/token` },
      ...{ INGATHER_CLIENT_ID: "id", INGATHER_CLIENT_SECRET: "secret" },
      ...(isWrite && isSignal(how) && { DIE_AT: middle, DIE_WITH: how, NODE_OPTIONS: `--import ${preload}` }),
    },
    stdio: ["pipe", how === "full disk" ? openSync("/dev/full", "w") : "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  for (const output of ["stdout", "stderr"] as const)
    child[output]?.setEncoding("utf8").on("data", (piece: string) => {
      if (output === "stdout" && text.stdout === "" && middle === "output") strike();
      text[output] += piece;
    });
  if (how === "closed pipe") child.stdout?.destroy();
  child.stdin?.on("error", () => {});
  child.stdin?.write(stdin);
  if (isFailure) child.stdin?.end();

  return new Promise((resolve) => {
    child?.on("close", (code, by) =>
      resolve({ code: code ?? 128 + constants.signals[by ?? "SIGKILL"], ...text }),
    );
  });
}

/** The values of the output, of which only a killed process may have begun another one. */
function valuesOf({ code, stdout, stderr }: Ending): Record<string, unknown>[] {
  const lines = stdout.split("\n");
  const rest = lines.pop() ?? "";
  if (code !== killed) expect(rest, stderr).toBe("");
  return lines.map((line) => JSON.parse(line));
}

const killed = 128 + constants.signals.SIGKILL;

it("each command that writes JSON is in this test", async () => {
  const names = await Promise.all(
    Object.keys(allCommands).map(async (name) => (hasJson(await help(name)) ? [name] : [])),
  );
  expect(Object.keys(works).toSorted()).toEqual(names.flat().toSorted());
});

describe.each(Object.entries(works))("--json of %s", (name, { isRecords, isShort }) => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s → whole values, the last of which says that it is incomplete", async (signal, expected) => {
    const ending = await run(name, signal);
    const values = valuesOf(ending);
    const { complete } = values.at(-1) ?? {};
    if (isShort && ending.code === 0) return expect(complete).not.toBe(false);
    expect(ending.code, ending.stderr).toBe(expected);
    expect(await help(name)).toMatch(new RegExp(`\\b${expected}\\s+(stopped\\s+)?by\\b`));
    if (!isRecords) expect(complete, ending.stderr).toBe(false);
  });

  it("kill -9 → whole values, none of which says that it is complete", async () => {
    const ending = await run(name, "SIGKILL");
    if (isShort && ending.code === 0) return;
    expect(ending.code, ending.stderr).toBe(killed);
    expect(valuesOf(ending).filter(({ complete }) => complete === true)).toEqual([]);
  });

  it("a failure → whole values, and an exit code of its help", async () => {
    const ending = await run(name, "failure");
    const values = valuesOf(ending);
    expect(ending.code).toBeGreaterThan(0);
    expect(await help(name)).toMatch(new RegExp(`Exit code[^]*\\b${ending.code}\\b`));
    if (!isRecords && ending.code !== 2) expect(values.at(-1), ending.stderr).toBeDefined();
  });

  it("a full disk → its exit code is 2, and it says why", async () => {
    const ending = await run(name, "full disk");
    expect(ending.code, ending.stderr).toBe(2);
    expect(ending.stderr).not.toBe("");
  });

  it("a closed pipe → the exit code of SIGPIPE, or 2 if nothing was written as the input is not usable", async () => {
    const ending = await run(name, "closed pipe");
    expect([141, 2], ending.stderr).toContain(ending.code);
  });
});
