import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../local/cli/commands/run-command-line.ts";
import { demoPort } from "../local/demo/site.ts";
import { startUsage } from "../local/start/start-options.ts";
import { linkRuleFields } from "../shared/links/rule/rule-fields.ts";
import { collectionFields } from "../shared/links/status/collection-fields.ts";
import {
  alarmTopicName,
  bucketNames,
  deadLetterQueueName,
  functionNames,
  queueNames,
  scheduleNames,
  stackNames,
  tableNames,
} from "../shared/names.ts";
import { routes } from "../shared/operations/routes/routes.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "..");

const read = (path: string) => readFileSync(join(root, path), "utf8");
const glob = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => path.replaceAll("\\", "/"));

const decisions = glob("docs/decisions/*.md").sort();
const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...glob("docs/*.md").sort(), ...decisions];

const folders = "shared functions infra local test events bench docs".split(" ");
const paths = new Set([...glob(`{${folders.join(",")}}/**`), ...glob("*")]);
const names = new Set([...paths].map((path) => basename(path)));

/**
 * Returns the files and folders that a text names in backquotes: by a path from the root, or by a file name.
 */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path);
  return quoted.filter(
    (path) => folders.some((folder) => path.startsWith(`${folder}/`)) || /^[\w-]+\.ts$/.test(path),
  );
}

/**
 * Returns the links of a text into the project: paths relative to its folder, each with its anchor, if any.
 */
function links(text: string): { to: string; anchor: string }[] {
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, to = "", anchor = ""]) => ({ to, anchor }),
  );
}

/** Returns the anchors of a document's headings, as GitHub generates them. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Returns the commands of a document: the lines of its code blocks, and the texts in backquotes. */
function commands(text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, "");
  const blocks = [...joined.matchAll(/^\s*```\w*\n([\s\S]*?)^\s*```/gm)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.split("\n"));
  const quoted = [...joined.replaceAll(/^\s*```[\s\S]*?^\s*```/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, command = ""]) => command,
  );
  return [...lines, ...quoted].flatMap((line) => line.split("&&")).map((line) => line.trim());
}

const options = (command: string) => command.match(/(?<= \[?)--[a-z-]+/g) ?? [];

/** Runs `npx ingather` in this process. */
async function ingather(...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const written = { stdout: "", stderr: "" };
  const output = (to: keyof typeof written) => ({
    write(content: string | Uint8Array) {
      written[to] += typeof content === "string" ? content : Buffer.from(content).toString();
      return true;
    },
  });
  const exitCode = await runCommandLine(args, {
    stdin: (async function* () {})(),
    stdout: output("stdout"),
    stderr: output("stderr"),
    signal: new AbortController().signal,
  });
  return { exitCode, ...written };
}

/** Applies a check to all documents. Returns the findings, each with the name of its document. */
const findings = (texts: string[], check: (document: string) => string[]) =>
  texts.flatMap((document) => check(document).map((finding) => `${document}: ${finding}`));

describe("documents", () => {
  it("name files that exist", () => {
    const isMissing = (path: string) => !paths.has(path.replace(/\/$/, "")) && !names.has(path);
    expect(findings(documents, (document) => namedPaths(read(document)).filter(isMissing))).toEqual([]);
    expect(documents.flatMap((document) => namedPaths(read(document))).length).toBeGreaterThan(80);
  });

  it("name resources of the cloud that exist", () => {
    const account = bucketNames.deliveries("ACCOUNT", "REGION").replace(/^.*(?=-ACCOUNT)/, "");
    const resources = new Set([
      ...[functionNames, tableNames, stackNames, scheduleNames].flatMap((all) => Object.values<string>(all)),
      ...Object.values(queueNames).flatMap((name) => [name, deadLetterQueueName(name)]),
      ...Object.values(bucketNames).map((name) => name("", "").replace(/-+$/, account)),
      alarmTopicName,
    ]);
    const named = (document: string) =>
      [...read(document).matchAll(/`(ingather-[\w.-]+)(?:\/[^`]*)?`/g)].map(([, name = ""]) => name);
    expect(findings(documents, (document) => named(document).filter((name) => !resources.has(name)))).toEqual(
      [],
    );
    expect(documents.flatMap(named).length).toBeGreaterThan(30);
  });

  it("link to files and headings that exist", () => {
    const missing = findings(documents, (document) =>
      links(read(document))
        .filter(({ to, anchor }) => {
          const path = to === "" ? document : join(document, "..", to).replaceAll("\\", "/");
          if (!paths.has(path.replace(/\/$/, ""))) return true;
          return anchor !== "" && !anchors(read(path)).includes(anchor);
        })
        .map(({ to, anchor }) => `${to}#${anchor}`),
    );
    expect(missing).toEqual([]);
    expect(documents.flatMap((document) => links(read(document))).length).toBeGreaterThan(40);
  });

  it("of the architecture → lists every folder of shared/", () => {
    const text = read("docs/architecture.md");
    const rooms = new Set(glob("shared/*").map((path) => `\`${path}\``));
    expect(rooms.size).toBeGreaterThan(10);
    expect([...rooms].filter((room) => !text.includes(room))).toEqual([]);
  });

  it("of the folder docs/ → each has a link in the README", () => {
    const linked = new Set(links(read("README.md")).map(({ to }) => to));
    const named = [...glob("docs/*.md"), "docs/decisions/", "CONTRIBUTING.md", "CHANGELOG.md"];
    expect(named.filter((path) => !linked.has(path))).toEqual([]);
  });

  it.each([
    ["README.md", 6144],
    ["docs/architecture.md", 10_240],
    ["docs/scaling.md", 7168],
  ])("%s → at most %d bytes", (document, maxBytes) => {
    expect(statSync(join(root, document)).size).toBeLessThanOrEqual(maxBytes);
  });

  it("of changes → at most 70 lines", () => {
    expect(read("CHANGELOG.md").trimEnd().split("\n").length).toBeLessThanOrEqual(70);
  });

  it("of decisions → at most 40 of at most 2,048 bytes, each with a number of its own", () => {
    expect(decisions.length).toBeLessThanOrEqual(40);
    const numbers = decisions.map((path) => basename(path).slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(decisions.filter((path) => statSync(join(root, path)).size > 2048)).toEqual([]);
  });

  it("of decisions → each has its number, context, choice, what was rejected, and the consequence", () => {
    const unlike = decisions.filter((path) => {
      const text = read(path);
      const parts = [...text.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part).join(" ");
      const number = Number(basename(path).slice(0, 4));
      return !text.startsWith(`# ${number}. `) || parts !== "Context Choice Rejected Consequence";
    });
    expect(unlike).toEqual([]);
  });

  it("start TypeScript with a Node that can run it, whatever the machine's own", () => {
    const texts = [...documents, ...glob("bench/*.ts")];
    expect(texts.filter((path) => /(?<!npx )\bnode [\w/-]+\.ts\b/.test(read(path)))).toEqual([]);
  });
});

describe("commands in documents", () => {
  const named = documents.flatMap((document) =>
    commands(read(document)).map((command): [string, string] => [document, command]),
  );
  const starting = (beginning: string) => named.filter(([, command]) => command.startsWith(beginning));

  it("of npx ingather → exist, with their options", async () => {
    const calls = starting("npx ingather ").filter(([, command]) => !command.includes("COMMAND"));
    expect(calls.length).toBeGreaterThan(15);
    for (const [document, command] of calls) {
      const [, , name = ""] = command.split(/\s+/);
      const { exitCode, stdout } = await ingather(name, "--help");
      expect({ document, command, exitCode }).toEqual({ document, command, exitCode: 0 });
      for (const option of options(command)) expect(`${stdout} --help`, command).toContain(option);
    }
  });

  it("of npm start → have options that exist", () => {
    const calls = starting("npm start -- ");
    expect(calls.length).toBeGreaterThan(4);
    for (const [, command] of calls) {
      for (const option of options(command.replace("npm start --", ""))) {
        expect(`${startUsage} --help`, command).toContain(option);
      }
    }
  });

  it("of npm run → are scripts", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const calls = starting("npm run ");
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.filter(([, command]) => !Object.hasOwn(scripts, command.split(/\s+/)[2] ?? ""))).toEqual([]);
  });

  it("of npx node → run files that exist", () => {
    const calls = starting("npx node ");
    expect(calls.length).toBeGreaterThan(8);
    expect(calls.filter(([, command]) => !paths.has(command.split(/\s+/)[2] ?? ""))).toEqual([]);
  });
});

describe("addresses in documents", () => {
  it("of the API → are routes", () => {
    const pattern = /(?<![\w-])(GET|PUT|POST|PATCH|DELETE) (\/[\w{}/-]+(?:\.json)?)/g;
    const named = (document: string) =>
      [...read(document).matchAll(pattern)].map(([, method, path = ""]) => `${method} ${path}`);
    const shape = (route: string) => route.replaceAll(/(?<=\/)(?:\{\w+\}|papers-past)/g, "{}");
    const known = new Set(routes.map(({ method, path }) => shape(`${method.toUpperCase()} ${path}`)));
    expect(
      findings(documents, (document) => named(document).filter((route) => !known.has(shape(route)))),
    ).toEqual([]);
    expect(
      documents.filter((document) => !document.startsWith("docs/api.md")).flatMap(named).length,
    ).toBeGreaterThan(20);
  });

  it("on this machine → have the ports of npm start, its demo or a translation server", () => {
    const [, apiPort = ""] = /port of the HTTP API \(default (\d+)/.exec(startUsage) ?? [];
    const ports = [apiPort, String(demoPort), "1969"];
    const named = (document: string) =>
      [...read(document).matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port = ""]) => port);
    expect(
      findings(documents, (document) => named(document).filter((port) => !ports.includes(port))),
    ).toEqual([]);
    expect(new Set(documents.flatMap(named)).size).toBe(ports.length);
  });
});

describe("the example configuration", () => {
  it("is accepted with the journal that the tutorial names", async () => {
    const folder = temporaryFolder();
    const items = join(folder, "items.json");
    writeFileSync(items, "[]");
    const { exitCode, stderr } = await ingather(
      "convert",
      items,
      "--config",
      join(root, "docs/example.conf"),
      "--source",
      "Lantern & Lathe",
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("maps") });
  });
});

describe("a move to another account", () => {
  const operations = read("docs/operations.md");
  const section = operations.slice(
    operations.indexOf("### Another account"),
    operations.indexOf("### Schedules"),
  );
  const listed = (what: string) =>
    new RegExp(`for ${what} in ([^;]+);`)
      .exec(section)?.[1]
      ?.split(/[\s\\]+/)
      .filter(Boolean) ?? [];

  it("copies every table, or says nothing is lost without it", () => {
    const forgotten = {
      hosts: "delays and pauses start again",
      "host-statistics": "of 30 days",
      "host-shares": "of an hour",
      validators: "pages are read again",
      flags: "is the network up",
      runs: "no run is in progress",
      "document-uploads": "no upload is in progress",
      authorities: "asked again",
      "read-mail": "the mailbox is another",
      "link-sweeps": "the next one starts again",
      "link-samples": "drawn each day",
      "rule-tests": "tried again",
      detections: "tried again",
      "set-checks": "checked again",
      "index-builds": "no build is in progress",
      "sent-mails": "of 90 days",
      leases: "nothing is held",
      "keyed-requests": "of a day",
      "failed-messages": "what waited for them has ended",
    };
    const own = Object.values(tableNames).map((name) => name.replace("ingather-", ""));
    expect([...listed("table"), ...Object.keys(forgotten)].sort()).toEqual(own.sort());
  });

  it("copies buckets that there are", () => {
    const own = Object.values(bucketNames).map((name) => name("account", "region"));
    expect(listed("bucket").length).toBeGreaterThan(3);
    expect(own).toEqual(
      expect.arrayContaining(listed("bucket").map((name) => `ingather-${name}-account-region`)),
    );
  });
});

it.each(Object.keys({ ...linkRuleFields, ...collectionFields }))("docs/links.md says what %s is", (field) => {
  expect(read("docs/links.md")).toMatch(new RegExp(`[\`"]${field}[\`"]`));
});
