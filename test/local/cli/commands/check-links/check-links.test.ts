import { describe, expect, it } from "vitest";
import { runCommand } from "../run-command.ts";
import { linkSite, quick } from "./link-site.ts";

const { asked, origin, file, here } = linkSite();

const run = (args: string[], options?: Parameters<typeof runCommand>[1]) => runCommand(here(args), options);

// Side by side: many of them wait, for hosts that are not there or for a delay.
describe.concurrent("exit codes and lines", () => {
  it.each([
    { title: "all alive", args: ["/ok", "/moved"], code: 0, counts: "2 alive, 0 broken, 0 inconclusive" },
    { title: "one broken", args: ["/ok", "/gone"], code: 1, counts: "1 alive, 1 broken, 0 inconclusive" },
    { title: "one refused", args: ["ftp://a/"], code: 1, counts: "0 alive, 0 broken, 1 inconclusive" },
    { title: "one in trouble", args: ["/busy"], code: 1, counts: "0 alive, 0 broken, 1 inconclusive" },
    { title: "the same twice", args: ["/ok", "/ok"], code: 0, counts: "1 alive, 0 broken, 0 inconclusive" },
  ])("$title → $code", async ({ args, code, counts }) => {
    const result = await run([...quick, ...args]);
    expect(result.code).toBe(code);
    expect(result.stdout.trimEnd().split("\n").at(-1)).toContain(counts);
    expect(result.stderr).toBe("");
  });

  it("a pipe → a plain line per link, then the summary", async () => {
    const { stdout } = await run([...quick, "/gone", "/ok"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.slice(0, 2).sort()).toEqual([
      `alive        ${origin()}/ok  answered 200`,
      `broken       ${origin()}/gone  answered 404`,
    ]);
    expect(lines[2]).toMatch(/^2 links in \d+\.\d s: 1 alive, 1 broken, 0 inconclusive$/);
  });

  it("a host that refuses us → reported with the count of its links before the summary", async () => {
    const { code, stdout } = await run([...quick, "/wall", "/teapot", "/ok"]);
    const host = new URL(origin()).host;
    expect(code).toBe(1);
    expect(stdout).toContain(`inconclusive ${origin()}/wall  answered 403: ${host} refuses us\n`);
    expect(stdout).toContain(`inconclusive ${origin()}/teapot  answered 418: ${host} refuses us\n`);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.at(-2)).toBe(`${host}: 2 links`);
    expect(lines.at(-1)).toContain("1 alive, 0 broken, 2 inconclusive");
  });

  it("an answer that only browsers read → judged, with a warning", async () => {
    const { stdout } = await run([...quick, "/lf"]);
    expect(stdout).toContain(
      `broken       ${origin()}/lf  answered 404; not valid HTTP, read as browsers do: lines end with LF\n`,
    );
  });

  it("a terminal → a bar, and only the links that are not alive", async () => {
    const { stdout, stderr } = await run([...quick, "/gone", "/ok"], { terminal: true });
    expect(stdout.split("\n")).toHaveLength(3);
    expect(stdout).toContain("/gone");
    expect(stdout).not.toContain("/ok ");
    expect(stderr).toContain("[################]  2/2  1 broken, 0 inconclusive");
    expect(stderr.endsWith("\r\x1b[K")).toBe(true);
  });

  it("--json → a JSON line per link, the summary on standard error", async () => {
    const { stdout, stderr } = await run([...quick, "--json", "/moved"]);
    expect(JSON.parse(stdout)).toEqual({
      url: `${origin()}/moved`,
      verdict: "alive",
      finding: "moved",
      reason: "answered 200",
      hops: [
        { url: `${origin()}/moved`, status: 301 },
        { url: `${origin()}/ok`, status: 200 },
      ],
      elapsedMs: expect.any(Number),
    });
    expect(stderr).toContain("1 link in");
  });
});

describe.concurrent("links", () => {
  it("a file, standard input and URLs → all checked", async () => {
    const list = file("links.txt", `\ufeff# links\r\n\r\n  ${origin()}/ok  \r\n${origin()}/gone\r\n`);
    const { stdout } = await run([...quick, "--json", list, "-", "/moved"], { stdin: `${origin()}/busy` });
    const urls = stdout.match(/"url":"[^"]+","verdict"/g);
    expect(urls).toHaveLength(4);
  });

  it("--user-agent → hosts see it", async () => {
    await run([...quick, "--user-agent", "Test (+https://library.example)", "/ok"]);
    expect(asked).toContain("Test (+https://library.example)");
  });

  it.each(["http://bob:s3cret@127.0.0.1:1/x", "http://bob:s3cret@[bad/x", "ftp://bob:s3cret@a/x"])(
    "%s → neither user nor password in the output",
    async (link) => {
      for (const flags of [[], ["--json"]]) {
        const { stdout, stderr } = await run([...quick, ...flags, link]);
        expect(stdout).toContain("/x");
        expect(stdout + stderr).not.toMatch(/bob|s3cret/);
      }
    },
  );

  it("characters that would steer a terminal → escaped", async () => {
    const { stdout } = await run([...quick, file("escapes.txt", "http://a.invalid:1/\x1b[2J\u202Ex")]);
    expect(stdout).toContain("inconclusive http://a.invalid:1/\\x1b[2J\\u202ex");
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
  });

  it.each([
    { title: "a file", args: ["check-links", "/no/such\x1b[2J\x9b\u202Efile"] },
    { title: "a rule file", args: [...quick, "--rules", "/no/such\x1b[2J\x9b\u202Efile", "/ok"] },
    { title: "a command", args: ["check\x1b[2J\x9b\u202Elinks"] },
  ])("characters that would steer a terminal in the name of $title → escaped", async ({ args }) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/\\(?:x|u00)1b\[2J\\x9b\\u202e/);
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
  });

  const contact = (page: string) => ["--user-agent", `Test (+${page})`];

  it.each([
    { title: "a public host", args: ["http://a.invalid:1/"], advised: true },
    { title: "this machine", args: ["/ok"], advised: false },
    {
      title: "a contact",
      args: [...contact("https://library.org/x"), "http://a.invalid:1/"],
      advised: false,
    },
    {
      title: "an example for a contact",
      args: [...contact("https://library.example/x"), "http://a.invalid:1/"],
      advised: true,
    },
  ])("$title → advised to name a contact: $advised", async ({ args, advised }) => {
    const { stderr } = await run([...quick, ...args]);
    expect(stderr.includes("--user-agent")).toBe(advised);
  });

  it("no --allow-private → private hosts are refused", async () => {
    const { code, stdout } = await run(["check-links", "--delay", "0", "http://127.0.0.1/"]);
    expect(code).toBe(1);
    expect(stdout).toContain("inconclusive http://127.0.0.1/  not requested (address)");
  });

  it("--allow-private → only for hosts that are named", async () => {
    const { stdout } = await run([...quick, "/inwards"]);
    expect(stdout).toContain("not followed (address): redirected: 127.0.0.2");
  });

  it("a delay → kept", async () => {
    const startedAt = performance.now();
    await run(["check-links", "--delay", "150", "--allow-private", "/ok", "/gone", "/moved"]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(3 * 150);
  });
});

describe.concurrent("rules", () => {
  it.each([
    { rule: { statusCodes: "301" }, broken: ["/moved", "/gone"] },
    { rule: { xpath: '//p[@class="ok"]' }, broken: ["/moved", "/ok", "/gone"] },
    { rule: { title: "None" }, broken: ["/gone"] },
    { rule: { statusCodes: "301" }, mark: "\ufeff", broken: ["/moved", "/gone"] },
  ])("$rule → $broken are broken", async ({ rule, mark = "", broken }) => {
    const rules = file("rule.json", mark + JSON.stringify(rule));
    const { stdout } = await run([...quick, "--rules", rules, "/ok", "/gone", "/moved"]);
    const found = [...stdout.matchAll(/^broken +\S+(\/[a-z]+) /gm)].map(([, path]) => path);
    expect(found.sort()).toEqual(broken.sort());
  });

  it("a rule that names 200 → a warning that names it on standard error, once", async () => {
    const rules = file("all.json", JSON.stringify({ statusCodes: ".*" }));
    const { stderr } = await run([...quick, "--rules", rules, "/ok", "/gone"]);
    expect(stderr.split("\n").filter((line) => /names 200.*"\.\*"/.test(line))).toHaveLength(1);
  });

  it("a rule's throttle above --delay → kept", async () => {
    const rules = file("throttle.json", JSON.stringify({ throttleSeconds: 0.2 }));
    const startedAt = performance.now();
    await run([...quick, "--rules", rules, "/ok", "/gone"]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(200);
  });
});

it.each(["javascript:alert(1)", "mailto:a@b.example", "data:text/html,x"])(
  "%s as an argument → a URL whose scheme is refused, not a file",
  async (link) => {
    const { code, stdout } = await run([...quick, "--json", link]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      url: link,
      verdict: "inconclusive",
      reason: expect.stringMatching(/^not requested \(scheme\): /),
    });
  },
);

describe.concurrent("wrong use", () => {
  it.each([
    { title: "no link", args: ["check-links"], problem: "must name links" },
    { title: "no such file", args: ["check-links", "/no/such/file"], problem: "does not exist" },
    {
      title: "a host, its port, no scheme",
      args: ["check-links", "a.example:80"],
      problem: "does not exist",
    },
    { title: "an empty list", args: ["check-links", "-"], problem: "at least one URL" },
    { title: "an unknown option", args: ["check-links", "--fast", "/ok"], problem: "--fast" },
    { title: "a delay below 0", args: ["check-links", "--delay=-1", "/ok"], problem: "--delay" },
    { title: "a delay in words", args: ["check-links", "--delay", "1s", "/ok"], problem: "--delay" },
    { title: "concurrency 0", args: ["check-links", "--concurrency", "0", "/ok"], problem: "from 1 to 1000" },
    {
      title: "a user agent of two lines",
      args: ["check-links", "--user-agent", "a\nb", "/ok"],
      problem: "--user-agent",
    },
    {
      title: "a user agent beyond ASCII",
      args: ["check-links", "--user-agent", "Bücher", "/ok"],
      problem: "--user-agent",
    },
    { title: "no such rule file", args: ["check-links", "--rules", "/no/file", "/ok"], problem: "--rules" },
    { title: "no command", args: [], problem: "check-links" },
    { title: "an unknown command", args: ["toString"], problem: "no command toString" },
  ])("$title → 2", async ({ args, problem }) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
  });

  const latin1 = Buffer.from("http://a/\nhttp://b/\xfc\n", "latin1");

  it.each([
    { title: "a file", args: () => [file("latin1.txt", latin1)] },
    { title: "standard input", args: () => ["-"] },
  ])("links in $title that is Latin-1 → 2, and the line is named", async ({ args }) => {
    const { code, stderr } = await run([...quick, ...args()], { stdin: latin1 });
    expect(code).toBe(2);
    expect(stderr).toContain("line 2 is not UTF-8");
  });

  it.each([
    { title: "no JSON", content: "{", problem: "--rules: " },
    { title: "a bad pattern", content: '{"statusCodes": "["}', problem: "statusCodes: " },
    { title: "a bad XPath", content: '{"xpath": "//p["}', problem: "xpath: unexpected end" },
    { title: "an inactive rule", content: '{"active": false}', problem: "active: must be true" },
  ])("a rule file with $title → 2, with field and value", async ({ content, problem }) => {
    const { code, stderr } = await run([...quick, "--rules", file("bad.json", content), "/ok"]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  it.each([["--help"], ["check-links", "--help"], ["check-links", "/ok", "-h"]])(
    "%s %s → usage, 0",
    async (...args) => {
      const { code, stdout } = await run(args);
      expect(code).toBe(0);
      expect(stdout).toContain("npx ingather");
    },
  );
});
