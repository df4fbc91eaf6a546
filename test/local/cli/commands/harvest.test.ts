import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { delayedSource, noDelays, serveJournal, server, site, source, titlesIn } from "./journal-site.ts";
import { runCommand } from "./run-command.ts";

serveJournal();

describe("harvest", () => {
  it("a configured feed → records on standard output, the rest reported, exit code 1", async () => {
    const { code, stdout, stderr } = await runCommand(["harvest", ...source("zotero_url = /feed")]);
    expect(code).toBe(1);
    expect(titlesIn(stdout)).toEqual(["One", "Two"]);
    expect(stdout).toContain("(DE-588)123X");
    expect(stderr).toContain(`failed     /gone <${site.origin}/gone>: ${site.origin}/gone answered 404\n`);
    expect(stderr).toContain("3 listed, 3 requested: 1 valid, 1 online-first, 0 refused, 1 not converted\n");
  });

  it("a title that would turn what is printed → without what turns it, by harvest and preview", async () => {
    const args = source("zotero_url = /turned-feed");
    expect((await runCommand(["harvest", ...args])).stderr).toContain("failed     Gone <");
    expect((await runCommand(["preview", ...args])).stdout).toContain("failed     Gone <");
  });

  it("one host → one request at a time, each address once, robots.txt first", async () => {
    await runCommand(["harvest", ...source("zotero_url = /feed")]);
    expect(site.maxConcurrent).toBe(1);
    expect(site.requested[0]).toBe("GET /robots.txt");
    expect(site.requested.toSorted()).toEqual([...new Set(site.requested)].toSorted());
    expect(site.requested).toHaveLength(6);
  });

  it.each([
    ["for all hosts", () => ["default_download_delay_time = 150"]],
    ["for this host", () => [...noDelays, `default_download_delay_time_${new URL(site.origin).host} = 150`]],
  ])("a delay %s in the configuration → kept", async (_, delays) => {
    const startedAt = performance.now();
    await runCommand(["harvest", ...delayedSource(delays(), "zotero_url = /good-feed")]);
    expect(site.requested).toHaveLength(4);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(3 * 150);
  });

  it("--out → files by outcome, and the report", async () => {
    const out = join(site.folder, "out");
    const { stdout } = await runCommand(["harvest", ...source("zotero_url = /feed"), "--out", out]);
    expect(stdout).toBe("");
    expect(titlesIn(readFileSync(join(out, "valid.xml"), "utf8"))).toEqual(["One"]);
    expect(titlesIn(readFileSync(join(out, "online_first.xml"), "utf8"))).toEqual(["Two"]);
    expect(existsSync(join(out, "delinquent.log"))).toBe(true);
    expect(readFileSync(join(out, "report.txt"), "utf8")).toContain("3 listed, 3 requested");
  });

  it.each([
    ["a file", () => join(site.folder, "x.conf")],
    ["below a file", () => join(site.folder, "x.conf/out")],
    ["no name", () => " "],
  ])("--out where nothing can be written (%s) → exit code 2 before anything is asked", async (_what, out) => {
    const { code, stderr } = await runCommand(["harvest", ...source("zotero_url = /feed"), "--out", out()]);
    expect(stderr).toMatch(/^--out: .*(is not a folder|must name a folder)/);
    expect([code, site.requested]).toEqual([2, []]);
  });

  it("--out where a file cannot be written → exit code 2 with what is wrong", async () => {
    const out = join(site.folder, "taken");
    mkdirSync(join(out, "report.txt"), { recursive: true });
    const { code, stderr } = await runCommand([
      "harvest",
      ...source("zotero_url = /good-feed"),
      "--out",
      out,
    ]);
    expect(stderr).toMatch(/^--out: is a folder/);
    expect(code).toBe(2);
  });

  it("--maps with an address → exit code 2, as no configuration is read", async () => {
    const { code, stderr } = await runCommand(["harvest", `${site.origin}/one`, "--maps", site.folder]);
    expect(stderr).toContain("cannot be combined with --config, --source and --maps");
    expect([code, site.requested]).toEqual([2, []]);
  });

  it("the URL of a feed with valid articles → exit code 0, the feed requested once", async () => {
    const { code, stdout } = await runCommand(["harvest", `${site.origin}/good-feed`, "--allow-private"]);
    expect([code, titlesIn(stdout)]).toEqual([0, ["One"]]);
    expect(site.requested.filter((one) => one === "GET /good-feed")).toHaveLength(1);
  });

  it("the URL of a journal's home page → its feed is harvested, and named", async () => {
    const { code, stdout, stderr } = await runCommand(["harvest", `${site.origin}/home`, "--allow-private"]);
    expect([code, titlesIn(stdout)]).toEqual([0, ["One"]]);
    expect(stderr).toContain(
      `${site.origin}/home offers the feed ${site.origin}/good-feed, which is harvested.`,
    );
    expect(site.requested.filter((one) => one === "GET /good-feed")).toHaveLength(1);
  });

  it("a feed that lists one article twice → one record, the second reported as a duplicate", async () => {
    const { code, stdout, stderr } = await runCommand([
      "harvest",
      `${site.origin}/double-feed`,
      "--allow-private",
    ]);
    expect([code, titlesIn(stdout)]).toEqual([1, ["Two"]]);
    expect(stderr).toMatch(/^dropped {4}Two <.*>: duplicate of .*: both have doi:10\.5555\/two$/m);
  });

  it("the URL of a page → its record, the page requested once", async () => {
    const { code, stdout } = await runCommand(["harvest", `${site.origin}/one`, "--allow-private"]);
    expect([code, titlesIn(stdout)]).toEqual([0, ["One"]]);
    expect(site.requested.filter((one) => one === "GET /one")).toHaveLength(1);
  });

  it("a page without an issue → its linked RIS is requested, by harvest and preview", async () => {
    const { code, stdout } = await runCommand(["harvest", `${site.origin}/cited`, "--allow-private"]);
    expect([code, titlesIn(stdout)]).toEqual([0, ["Cited"]]);
    expect(stdout).toContain('<subfield code="d">9</subfield>');
    expect(site.requested).toEqual(["GET /robots.txt", "GET /cited", "GET /cite.ris"]);
    const args = source("zotero_url = /cited", "zotero_type = DIRECT");
    expect((await runCommand(["preview", ...args])).stdout).toContain("$d 9");
  });

  it("pages with the same fault → a warning for the first three, and how many more there are", async () => {
    const { code, stderr } = await runCommand(["harvest", ...source("zotero_url = /flawed-feed")]);
    expect(code).toBe(0);
    const warnings = stderr.split("\n").filter((line) => line.startsWith("warning "));
    const told = /^warning {4}Flawed \d <.*\/flawed\/\d>: page: json-ld: a block is not valid JSON$/;
    expect(warnings).toEqual([
      ...[1, 2, 3].map(() => expect.stringMatching(told)),
      "warning    and 2 more records: page: json-ld: a block is not valid JSON",
    ]);
  });

  it("a crawled source → the links that match", async () => {
    const args = source("zotero_url = /list", "zotero_type = CRAWL", "zotero_extraction_regex = /(one|two)$");
    const { code, stdout } = await runCommand(["harvest", ...args]);
    expect([code, titlesIn(stdout)]).toEqual([0, ["One", "Two"]]);
  });

  it("a crawled source with --sitemaps → requests the site's sitemap, too", async () => {
    const args = source("zotero_url = /list", "zotero_type = CRAWL", "zotero_extraction_regex = /(one|two)$");
    const { code } = await runCommand(["harvest", ...args, "--sitemaps"]);
    expect(code).toBe(0);
    expect(site.requested).toContain("GET /sitemap.xml");
  });

  it.each(["file", "folder"])(
    "a source of mails with --mail %s → what the messages link to",
    async (given) => {
      const mails = join(site.folder, `mails-${given}`);
      mkdirSync(mails);
      const message = (path: string, subject: string) =>
        `From: a@b.example\r\nSubject: ${subject}\r\nContent-Type: text/html\r\n\r\n<a href="${site.origin}${path}">x</a>`;
      writeFileSync(join(mails, "1.eml"), message("/one", "New issue"));
      writeFileSync(join(mails, "2.eml"), message("/two", "Advertisement"));
      const email = ["zotero_url = /", "zotero_type = EMAIL", "emailcrawl_subject_regex = issue"];
      const paths = given === "folder" ? [mails] : [join(mails, "1.eml"), join(mails, "2.eml")];
      const options = paths.flatMap((path) => ["--mail", path]);
      const { code, stdout } = await runCommand(["harvest", ...source(...email), ...options]);
      expect([code, titlesIn(stdout)]).toEqual([0, ["One"]]);
    },
  );

  it("a page that lists articles → its links that match; without an expression the reason why nothing came", async () => {
    const direct = ["zotero_url = /list", "zotero_type = DIRECT"];
    const listed = await runCommand([
      "harvest",
      ...source(...direct, "zotero_extraction_regex = /(one|two)$"),
    ]);
    expect([listed.code, titlesIn(listed.stdout)]).toEqual([0, ["One", "Two"]]);
    expect(listed.stderr).toContain("2 listed, 2 requested");
    const { code, stderr } = await runCommand(["harvest", `${site.origin}/list`, "--allow-private"]);
    expect(code).toBe(1);
    expect(stderr).toContain("the page is not an article; without a translation server its links are read");
  });

  it("a crawl whose pages link back to its start → every page is requested once, and it ends", async () => {
    const crawl = [
      "zotero_type = CRAWL",
      "zotero_extraction_regex = /(one|two)$",
      "zotero_max_crawl_depth = 3",
    ];
    const { code, stdout } = await runCommand(["harvest", ...source("zotero_url = /issues/", ...crawl)]);
    expect([code, titlesIn(stdout)]).toEqual([0, ["One", "Two"]]);
    expect(site.requested.filter((one) => one.startsWith("GET /issues/"))).toEqual([
      "GET /issues/",
      "GET /issues/2",
    ]);
  });

  it.each<[string, string | null, string]>([
    ["all", null, "1 refused"],
    ["the source, by its Zeder id", "4711", "1 refused"],
    ["the source, by its id", "ixtheo-4711", "1 refused"],
    ["another source", "4712", "1 valid"],
  ])("--rules for %s → %s: %s", async (_whom, about, told) => {
    const rules = join(site.folder, "rules.json");
    const rule = { source: about, tag: "245", subfield: "a", presence: "always", regex: "^Zwei" };
    writeFileSync(rules, JSON.stringify({ rules: [rule] }));
    for (const command of ["harvest", "preview"]) {
      const args = [command, ...source("zotero_url = /good-feed"), "--rules", rules];
      const { stdout, stderr } = await runCommand(args);
      expect(stdout + stderr, command).toContain(told);
    }
  });

  it.each([
    ["no JSON", "{", "--rules: "],
    ["no rules", "{}", "rules: "],
    ["an invalid rule", '{"rules": [{"tag": "24"}]}', "must be a tag of three digits or capital letters"],
  ])("--rules with %s → exit code 2 that says so, nothing is asked", async (_what, text, told) => {
    const rules = join(site.folder, "bad-rules.json");
    writeFileSync(rules, text);
    const { code, stderr } = await runCommand([
      "harvest",
      ...source("zotero_url = /good-feed"),
      "--rules",
      rules,
    ]);
    expect([code, site.requested]).toEqual([2, []]);
    expect(stderr).toContain(told);
  });

  it("--translation-server → it translates the articles, whose own values stay", async () => {
    const args = [...source("zotero_url = /good-feed"), "--translation-server", site.origin];
    const { code, stdout, stderr } = await runCommand(["harvest", ...args]);
    expect(stderr).toContain("1 valid");
    expect([code, titlesIn(stdout)]).toEqual([0, ["One"]]);
  });

  it("robots.txt forbids it → not requested, and reported", async () => {
    const { code, stderr } = await runCommand(["harvest", `${site.origin}/forbidden/one`, "--allow-private"]);
    expect(code).toBe(1);
    expect(stderr).toContain("not fetched (robots)");
    expect(site.requested).toEqual(["GET /robots.txt"]);
  });

  it("a private address without --allow-private → refused, nothing is requested", async () => {
    const { code, stderr } = await runCommand(["harvest", `${site.origin}/one`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/not fetched.*; --allow-private permits private hosts and any port$/m);
    expect(site.requested).toEqual([]);
  });

  it("stopped while waiting for a host → exit code 130 at once", async () => {
    const anHour = ["default_download_delay_time = 3600000", "max_download_delay_time = 3600000"];
    const stop = new AbortController();
    server.once("request", () => setTimeout(() => stop.abort(), 100));
    const args = ["harvest", ...delayedSource(anHour, "zotero_url = /good-feed")];
    const { code } = await runCommand(args, { signal: stop.signal });
    expect([code, site.requested]).toEqual([130, ["GET /robots.txt"]]);
  });

  it("stopped → exit code 130", async () => {
    const args = ["harvest", ...source("zotero_url = /feed")];
    const { code, stdout } = await runCommand(args, { signal: AbortSignal.abort() });
    expect([code, stdout]).toEqual([130, ""]);
  });
});

describe("wrong use", () => {
  it.each<{ title: string; args: () => string[]; says: RegExp }>([
    {
      title: "nothing to harvest",
      args: () => ["harvest"],
      says: /^arguments: a URL, or --config and --source, are required/,
    },
    {
      title: "no address",
      args: () => ["harvest", "example.org"],
      says: /^URL: must be an http or https URL/,
    },
    {
      title: "two addresses",
      args: () => ["harvest", site.origin, site.origin],
      says: /^URL: must be a single URL/,
    },
    {
      title: "an address and a source",
      args: () => ["harvest", site.origin, "--source", "A journal"],
      says: /^URL: cannot be combined/,
    },
    {
      title: "sitemaps of an address",
      args: () => ["harvest", site.origin, "--sitemaps"],
      says: /^--sitemaps: needs a configured source/,
    },
    {
      title: "sitemaps of a feed",
      args: () => ["harvest", ...source("zotero_url = /x"), "--sitemaps"],
      says: /^--sitemaps: is permitted only for sources of the type CRAWL \(got "RSS"\)/,
    },
    {
      title: "a source of mails without any",
      args: () => ["harvest", ...source("zotero_url = /x", "zotero_type = EMAIL")],
      says: /^--mail: is required for a source of the type EMAIL/,
    },
    {
      title: "a message that is not there",
      args: () => ["harvest", ...source("zotero_url = /x", "zotero_type = EMAIL"), "--mail", "/none.eml"],
      says: /^--mail: does not exist \(got "\/none\.eml"\)/,
    },
    {
      title: "a folder without messages",
      args: () => {
        mkdirSync(join(site.folder, "no-mails"));
        return [
          "preview",
          ...source("zotero_url = /x", "zotero_type = EMAIL"),
          "--mail",
          join(site.folder, "no-mails"),
        ];
      },
      says: /^--mail: is a folder without any file/,
    },
    {
      title: "mails of a feed",
      args: () => ["harvest", ...source("zotero_url = /x"), "--mail", "/none.eml"],
      says: /^--mail: is permitted only for sources of the type EMAIL \(got "RSS"\)/,
    },
    {
      title: "mails of an address",
      args: () => ["harvest", site.origin, "--mail", "/none.eml"],
      says: /^--mail: needs a configured source/,
    },
    {
      title: "no number of items",
      args: () => ["preview", ...source("zotero_url = /x"), "--items", "0"],
      says: /^--items: must be a whole number from 1 to 999 \(got "0"\)/,
    },
  ])("$title → exit code 2, said which", async ({ args, says }) => {
    const { code, stderr } = await runCommand(args());
    expect([code, site.requested]).toEqual([2, []]);
    expect(stderr).toMatch(says);
  });
});
