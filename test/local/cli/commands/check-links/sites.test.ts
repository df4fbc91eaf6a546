import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../../../listen.ts";
import { runCommand } from "../run-command.ts";
import { linkSite, quick } from "./link-site.ts";

const { file } = linkSite();

/** The origin stands for itself in pages. */
const pages: Record<string, string> = {
  "/": '<a href="/a">a</a>\n<a href="/b#sec">b</a> <a href="/b#nope">n</a> <img src="/gone.png"> <a href="/private/x">p</a> <a href="ftp://f.example/">f</a> <a href="mailto:a@b">m</a>',
  "/a": '<base href="/d/"><a href="one">1</a><a href="http://unrelated.invalid/x">x</a>',
  "/b": '<h2 id="sec">b</h2><a name="%C3%BC">u</a><a href="/">home</a>',
  "/d/one": '<a href="two">2</a>',
  "/d/two": '<a href="three">3</a>',
  "/robots.txt": "User-agent: *\nDisallow: /private\n",
  "/index.xml":
    "<sitemapindex><sitemap><loc>ORIGIN/map.xml.gz</loc></sitemap><sitemap><loc>ORIGIN/lost.xml</loc></sitemap></sitemapindex>",
  "/map.xml.gz": "<urlset><url><loc>ORIGIN/a</loc></url><url><loc>ORIGIN/gone</loc></url></urlset>",
  "/moved": "",
};

describe("sites", () => {
  const asked: string[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  let origin = "";
  const server = createServer((request, answer) => {
    const { url = "/" } = request;
    asked.push(url);
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    answer.once("close", () => underWay--);
    const page = pages[url]?.replaceAll("ORIGIN", origin);
    if (url === "/moved") answer.writeHead(302, { location: "/b" });
    else answer.statusCode = page === undefined ? 404 : 200;
    const type = url.includes(".xml") ? "application/xml" : url.endsWith(".txt") ? "text/plain" : "text/html";
    if (url !== "/moved") answer.setHeader("content-type", type);
    setImmediate(() => answer.end(url.endsWith(".gz") ? gzipSync(page ?? "") : (page ?? "no")));
  });
  beforeAll(async () => {
    origin = await listen(server);
  });
  afterAll(() => void server.close());
  beforeEach(() => void asked.splice(0));

  const crawl = async (...args: string[]) => {
    const { stdout, code } = await runCommand([
      ...quick,
      "--json",
      ...args.map((arg) => arg.replace(/^\/(?!tmp)/, `${origin}/`)),
    ]);
    const lines = stdout.trim().split("\n").filter(Boolean);
    const results = lines.map(
      (line) => JSON.parse(line) as { url: string; verdict: string; places?: object[] },
    );
    const verdicts = results.map(({ url, verdict }) => `${verdict} ${url.replace(origin, "")}`).sort();
    return { verdicts, results, code };
  };

  it("--recursive → pages of the site by their links, one at a time, as far as robots.txt allows", async () => {
    mostUnderWay = 0;
    const { verdicts, results, code } = await crawl("--recursive", "--exclude", "unrelated", "/");
    expect(verdicts).toEqual([
      "alive /",
      "alive /a",
      "alive /b#nope",
      "alive /b#sec",
      "alive /d/one",
      "alive /d/two",
      "broken /d/three",
      "broken /gone.png",
      "inconclusive /private/x",
    ]);
    expect(code).toBe(1);
    expect(asked).not.toContain("/private/x");
    expect(new Set(asked).size).toBe(asked.length);
    expect(mostUnderWay).toBe(1);
    const missing = results.find(({ url }) => url.endsWith(".png"));
    expect(missing?.places).toEqual([{ file: `${origin}/`, line: 2, column: 53 }]);
  });

  it.each([
    { depth: "0", reached: ["/", "/a", "/b", "/gone.png"] },
    { depth: "1", reached: ["/", "/a", "/b", "/d/one", "/gone.png"] },
  ])("--depth $depth → reaches $reached", async ({ depth, reached }) => {
    await crawl("--recursive", "--depth", depth, "--exclude", "unrelated", "/");
    expect(asked.filter((path) => path !== "/robots.txt").sort()).toEqual(reached);
  });

  it("links to other sites → checked after the crawl", async () => {
    const { results } = await crawl("--recursive", "/a");
    expect(results.find(({ url }) => url.includes("unrelated"))).toMatchObject({
      verdict: "inconclusive",
      places: [{ file: `${origin}/a`, line: 1 }],
    });
  });

  it("--fragments → broken where the page lacks them", async () => {
    const all = [
      "/b#sec",
      "/b#nope",
      "/b#%C3%BC",
      "/b#top",
      "/b#",
      "/b#:~:text=x",
      "/b#sec:~:text=x",
      "/b#/r",
      "/moved#sec",
      "/moved#no",
    ];
    const { verdicts } = await crawl("--fragments", ...all);
    expect(verdicts.filter((verdict) => verdict.startsWith("broken"))).toEqual([
      "broken /b#nope",
      "broken /moved#no",
    ]);
    expect(asked.sort()).toEqual(["/b", "/b", "/moved"]);
    const site = await crawl("--recursive", "--fragments", "--exclude", "unrelated", "/");
    expect(site.verdicts).toContain("broken /b#nope");
    expect(site.verdicts).toContain("alive /b#sec");
  });

  it("an index of sitemaps → the pages of all; a missing sitemap is broken", async () => {
    const { verdicts } = await crawl("--recursive", "--depth", "0", "/index.xml");
    expect(verdicts).toEqual([
      "alive /a",
      "alive /index.xml",
      "alive /map.xml.gz",
      "broken /gone",
      "broken /lost.xml",
    ]);
    expect(asked).toContain("/lost.xml");
  });

  it("a file that is an index → its sitemaps are read", async () => {
    const index = file("index.xml", pages["/index.xml"]?.replaceAll("ORIGIN", origin) ?? "");
    const { verdicts } = await crawl(index);
    expect(verdicts).toContain("broken /gone");
    expect(verdicts).toContain("broken /lost.xml");
  });
});
