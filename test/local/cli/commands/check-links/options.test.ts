import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { runCommand } from "../run-command.ts";
import { linkSite, quick } from "./link-site.ts";

const { asked, origin, file, here } = linkSite();

const run = (args: string[], options?: Parameters<typeof runCommand>[1]) => runCommand(here(args), options);

const verdicts = (stdout: string) =>
  [...stdout.matchAll(/^(alive|broken|inconclusive) +http:\/\/[^/]+(\/\S*)/gm)].map(
    ([, verdict, path]) => `${verdict} ${path}`,
  );

describe.concurrent("which links are checked", () => {
  it.each([
    { options: ["--include", "/g"], expected: ["broken /gone"] },
    { options: ["--exclude", "gone$"], expected: ["alive /ok"] },
    {
      options: ["--include", "ok", "--include", "gone", "--exclude", "^http://127.0.0.1:\\d+/ok"],
      expected: ["broken /gone"],
    },
  ])("$options → $expected", async ({ options, expected }) => {
    const { stdout } = await run([...quick, ...options, "/ok", "/gone"]);
    expect(verdicts(stdout)).toEqual(expected);
  });

  it("a pattern that needs backtracking → 2, with its option", async () => {
    const { code, stderr } = await run([...quick, "--exclude", "(?=x)", "/ok"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--exclude: failed to compile");
  });
});

describe.concurrent("time", () => {
  it("--timeout → a host that does not answer is given up after it", async () => {
    const { code, stdout } = await run([...quick, "--timeout", "1", "--retries", "0", "/slow"]);
    expect(code).toBe(1);
    expect(stdout).toContain("no answer (timeout): no headers within 1000 ms");
  });

  it("--max-time → the rest is inconclusive, with the reason", async () => {
    const { code, stdout } = await run([...quick, "--max-time", "5", "/ok", "/slow"]);
    expect(code).toBe(1);
    expect(stdout).toContain("/slow  not checked (max-time): the run ended after 5 s");
    expect(stdout).toContain("1 alive, 0 broken, 1 inconclusive");
  });

  it("--retries 0 → one request", async () => {
    const { stdout } = await run([...quick, "--retries", "0", "--json", "/busy"]);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "inconclusive", reason: "answered 503" });
  });

  it("twelve links on a host that never answers → given up after two time-outs", async () => {
    let connections = 0;
    const silent = createServer(() => connections++).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const address = silent.address() as { port: number };
    const links = Array.from({ length: 12 }, (_, number) => `http://127.0.0.1:${address.port}/${number}`);
    const { stdout } = await run([...quick, "--timeout", "1", ...links]);
    silent.close();
    expect(stdout).toContain("0 alive, 0 broken, 12 inconclusive");
    expect(connections).toBeLessThanOrEqual(3);
  });
});

describe.concurrent("headers", () => {
  it("--header → sent; one of another host is not", async () => {
    const { stdout } = await run([
      ...quick,
      "--json",
      "--header",
      "X-One: everywhere",
      "--header",
      `${new URL(origin()).host} Authorization: Bearer abc`,
      "--header",
      "other.example Cookie: secret=1",
      "/echo",
      "--rules",
      file("rule.json", JSON.stringify({ xpath: "//p[@id='headers']" })),
    ]);
    const { matchedText } = JSON.parse(stdout);
    expect(matchedText).toContain("x-one: everywhere");
    expect(matchedText).toContain("authorization: Bearer abc");
    expect(matchedText).not.toContain("secret");
  });

  it.each([
    ["Authorization: Bearer s3cret", "must name its host"],
    ["X-Api-Key: s3cret", "must name its host"],
    ["Host: s3cret", "is set by the checker"],
    ["User-Agent: s3cret", "--user-agent"],
    ["no colon s3cret", "[HOST ]NAME:VALUE"],
    ["X: s3crét", "[HOST ]NAME:VALUE"],
    ["X: s3cret\r\nY: z", "[HOST ]NAME:VALUE"],
  ])("%j → 2", async (header, problem) => {
    const { code, stderr } = await run([...quick, "--header", header, "/ok"]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });
});

describe.concurrent("the configuration file", () => {
  it("options of the file count, those of the command line more; lists add up", async () => {
    const config = file(
      "links.toml",
      'output = "csv"\nexclude = ["gone"]\ndelay = 0\nallow-private = true\n',
    );
    const { stdout, stderr } = await run([
      "check-links",
      "--config",
      config,
      "--output",
      "text",
      "--exclude",
      "wall",
      "/ok",
      "/gone",
      "/wall",
    ]);
    expect(verdicts(stdout)).toEqual(["alive /ok"]);
    expect(stderr).toContain(`Options are also read from ${config}`);
  });

  it.each([
    ["excludes = []", "excludes: is not an option; did you mean exclude?"],
    ["__proto__ = 1", "__proto__: is not an option"],
    ["config = 'x'", "config: is not an option"],
    ["delay = '1'", "delay: must be a whole number"],
    ["delay = 1.5", "delay: must be a whole number"],
    ["json = 1", "json: must be true or false"],
    ["cache = true", "cache: must be a string"],
    ["exclude = [1]", "exclude: must be a string, or a list of strings"],
    ["output = 'xml'", "output: must be one of text, json"],
    ["a = [", "line 1, column"],
    ["a".repeat(10), "line 1, column"],
  ])("%s → 2: %s", async (content, problem) => {
    const { code, stderr } = await run(["check-links", "--config", file("bad.toml", content), "/ok"]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });
});

describe("the cache", () => {
  const requests = async (action: () => Promise<unknown>) => {
    const before = asked.length;
    await action();
    return asked.length - before;
  };

  it("alive links are not requested again; broken ones are; after their age, only whether they changed", async () => {
    const cache = file("cache.json", "");
    const { rmSync } = await import("node:fs");
    rmSync(cache);
    const check = (...more: string[]) =>
      run([...quick, "--cache", cache, "--retries", "0", ...more, "/etag", "/gone"]);
    expect(await requests(() => check())).toBe(2);
    expect(await requests(() => check())).toBe(1);
    const confirmed = await check("--cache-age", "0");
    expect(verdicts(confirmed.stdout)).toEqual(["alive /etag", "broken /gone"]);
    expect(asked.filter((agent) => agent.includes("if-none-match"))).toHaveLength(1);
    const fresh = await check();
    expect(fresh.stdout).toMatch(/alive .*\/etag {2}answered 200 {2}\(checked 20/);
  });

  it("another rule → asked again", async () => {
    const cache = file("other.json", "");
    const { rmSync } = await import("node:fs");
    rmSync(cache);
    const rules = file("rule.json", JSON.stringify({ statusCodes: "201" }));
    expect(await requests(() => run([...quick, "--cache", cache, "/ok"]))).toBe(1);
    expect(await requests(() => run([...quick, "--cache", cache, "--rules", rules, "/ok"]))).toBe(1);
  });

  it("with an XPath, an unchanged page keeps its verdict", async () => {
    const cache = file("xpath.json", "");
    const { rmSync } = await import("node:fs");
    rmSync(cache);
    const rules = file("rule.json", JSON.stringify({ xpath: "not(//p)" }));
    const check = () => run([...quick, "--cache", cache, "--cache-age", "0", "--rules", rules, "/etag"]);
    expect((await check()).code).toBe(0);
    expect((await check()).code).toBe(0);
  });

  it("a file that is not a cache → 2, and unchanged", async () => {
    const other = file("mine.json", '{"mine": true}');
    const { code, stderr } = await run([...quick, "--cache", other, "/ok"]);
    expect(code).toBe(2);
    expect(stderr).toContain("is not a cache of check-links");
  });
});
