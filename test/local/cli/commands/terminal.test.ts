import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nearestName } from "../../../../local/arguments/nearest-name.ts";
import { completionCommand, optionsIn } from "../../../../local/cli/commands/completion.ts";
import { colored } from "../../../../local/colors.ts";
import { describeJsonError } from "../../../../local/errors/describe-json-error.ts";
import { adviseOnPrivate } from "../../../../local/private-host.ts";
import { LiveLine } from "../../../../local/start/live-line.ts";
import { parseStartOptions } from "../../../../local/start/start-options.ts";
import { describeTimeLeft } from "../../../../local/time-left.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

const folder = temporaryFolder();

function file(name: string, content: string): string {
  const path = join(mkdtempSync(join(folder, "own-")), name);
  writeFileSync(path, content);
  return path;
}

it.each(["--version", "-V"])("%s → the version of package.json", async (option) => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8"));
  const { code, stdout } = await runCommand([option]);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^ingather ${version.replaceAll(".", "\\.")}, Node v\\d+`));
});

describe("a name that resembles a known one", () => {
  it.each([
    [["check-link"], "no command check-link; did you mean check-links?"],
    [["harvets"], "did you mean harvest?"],
    [["qqqqq"], "There is no command qqqqq.\n"],
    [["check-links", "--exlude", "x", "http://a/"], "unknown option --exlude; did you mean --exclude?"],
    [["harvest", "--confg", "x"], "unknown option --confg; did you mean --config?"],
    [["validate", "--zzzzzzzz"], "unknown option --zzzzzzzz ("],
    [["check-links", "-x", "http://a/"], "unknown option -x ("],
  ])("%j → %s", async (args, expected) => {
    const { code, stderr } = await runCommand(args);
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });

  it("of npm start → said, too", () => {
    expect(() => parseStartOptions(["--fed", "http://a/"])).toThrow(
      /unknown option --fed; did you mean --feed\?; npm start -- --help/,
    );
  });

  it("a name of 100,000 characters → none, in time", () => {
    expect(nearestName("x".repeat(100_000), ["check-links"])).toBeUndefined();
  });
});

describe("npm start --allow-private", () => {
  it.each([
    { args: ["--allow-private"], hosts: [], all: true },
    { args: ["--allow-private", "--once"], hosts: [], all: true },
    { args: ["--allow-private", "a.example:80", "--once"], hosts: ["a.example:80"], all: false },
    { args: ["--allow-private", "a", "--allow-private"], hosts: ["a"], all: true },
    { args: [], hosts: [], all: false },
  ])("$args → hosts $hosts, those of all sources: $all", ({ args, hosts, all }) => {
    expect(parseStartOptions(args)).toMatchObject({ privateHosts: hosts, allowsPrivateSources: all });
  });
});

it.each([
  ["check-links", "http://127.0.0.1/"],
  ["harvest", "http://127.0.0.1/feed"],
  ["harvest", "http://127.0.0.1/oai", "--prefix", "oai_dc"],
  ["preview", "http://127.0.0.1/feed"],
  ["oai", "http://127.0.0.1/oai", "identify"],
  ["oai", "http://127.0.0.1/oai", "sets"],
  ["check-set", "http://127.0.0.1/oai?verb=ListRecords&metadataPrefix=oai_dc&set=a"],
  ["capture", "http://127.0.0.1/", "--out", join(temporaryFolder(), "capture")],
])("%s %s: a private host → the refusal names the option", async (...args) => {
  const { stdout, stderr } = await runCommand(args);
  expect(stdout + stderr).toMatch(
    /127\.0\.0\.1 is not a public address; --allow-private permits private hosts and any port$/m,
  );
});

it("a private host of which --allow-private says nothing → told what it permits", () => {
  const reason = "not fetched (port): port 9911 is not among the web ports";
  expect(adviseOnPrivate(reason, true)).toBe(
    `${reason}; --allow-private permits only hosts that the command or its source names`,
  );
  expect(adviseOnPrivate("not fetched (robots): /a", false)).toBe("not fetched (robots): /a");
});

it.each([
  ["", "is empty, but must be JSON"],
  ['{"a": ', "is not JSON: it ends too early; a bracket or quote is not closed"],
  ['{"a": "b', "is not JSON: it ends too early; a bracket or quote is not closed"],
  ['{\n  "a": 1,\n  b\n}', "is not JSON: line 3, column 3: Expected double-quoted property name"],
  ["hello", "is not JSON: Unexpected token 'h'"],
])("JSON %j → %s", (text, expected) => {
  let message = "";
  try {
    JSON.parse(text);
  } catch (error) {
    message = describeJsonError(error, text);
  }
  expect(message).toBe(expected);
});

it.each([
  { args: ["check-links", "--rules", "/none.json", "http://a/"], problem: "--rules: does not exist" },
  { args: ["check-links", "/"], problem: "FILE|URL: is a folder, not a file" },
  { args: ["check-links", "/etc/passwd/x"], problem: "a part of its path is not a folder" },
])("$args → words, and no code of the system", async ({ args, problem }) => {
  const { code, stderr } = await runCommand(args);
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
  expect(stderr).not.toMatch(/\bE[A-Z]{3,}\b/);
});

it.each([
  { tty: true, env: {}, expected: true },
  { tty: true, env: { NO_COLOR: "1" }, expected: false },
  { tty: true, env: { NO_COLOR: "" }, expected: true },
  { tty: true, env: { TERM: "dumb" }, expected: false },
  { tty: false, env: {}, expected: false },
  { tty: false, env: { FORCE_COLOR: "1" }, expected: true },
  { tty: false, env: { FORCE_COLOR: "1", NO_COLOR: "1" }, expected: false },
])("terminal $tty, environment $env → coloured: $expected", ({ tty, env, expected }) => {
  expect(colored("red", "x", { isTTY: tty }, env) !== "x").toBe(expected);
});

it("a live line → written again when it changes, cut to the terminal, removed for other lines", () => {
  let written = "";
  const line = new LiveLine({ write: (text) => (written += text), columns: 6 });
  line.clear();
  line.show("1 of 2");
  line.show("1 of 2");
  line.show("2 of 2");
  line.clear();
  expect(written).toBe("\r\x1b[K1 of \r\x1b[K2 of \r\x1b[K");
});

it.each([
  { done: 0, total: 5, tookMs: 10, expected: "" },
  { done: 1, total: 5, tookMs: 1000, expected: "4 s left" },
  { done: 1, total: 5, tookMs: 60_000, expected: "4 min left" },
  { done: 1, total: 5, tookMs: 3_600_000, expected: "4.0 h left" },
])("$done of $total in $tookMs ms → $expected", ({ expected, ...progress }) => {
  expect(describeTimeLeft(progress)).toBe(expected);
});

describe("completion", () => {
  const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

  it.each(["bash", "zsh", "fish"])("%s → every command, and the options of its help", async (shell) => {
    const { code, stdout } = await runCommand(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["check-links", "harvest", "validate", "recursive", "translation-server"]) {
      expect(stdout).toContain(word);
    }
  });

  it.each(["", "bsh", "toString"])("the shell %j → 2", async (shell) => {
    const { code, stderr } = await runCommand(["completion", shell]);
    expect(code).toBe(2);
    expect(stderr).toContain("must be bash, zsh or fish");
  });

  it.skipIf(!has("bash"))("in bash → completes a command and an option", async () => {
    const { stdout: script } = await runCommand(["completion", "bash"]);
    const complete = (...words: string[]) => {
      const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;
      const run = spawnSync("bash", [
        "-c",
        `source ${file("c.sh", script)}; ${set}; _ingather; echo "\${COMPREPLY[@]}"`,
      ]);
      return run.stdout.toString().trim();
    };
    expect(complete("ingather", "check-l")).toBe("check-links");
    expect(complete("ingather", "check-links", "--recu")).toBe("--recursive");
    expect(complete("ingather", "--vers")).toBe("--version");
  });

  it("a summary with quotes and brackets → no shell reads them", async () => {
    let script = "";
    const evil = {
      summary: "does 'x' $(touch /tmp/x)",
      load: async () => ({ usage: "", run: async () => 0 }),
    };
    await completionCommand({ evil }).run(["fish"], {
      stdin: (async function* () {})(),
      stdout: { write: (text) => (script += text) },
      stderr: { write: () => undefined },
      signal: new AbortController().signal,
    });
    expect(script).toContain("-d 'does x $(touch /tmp/x)'");
    expect(optionsIn("  --a-b X   text\n  --c\n   --no\n")).toEqual(["--a-b", "--c", "--help"]);
  });
});
