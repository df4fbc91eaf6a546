import { expect, it } from "vitest";
import type { NewSource } from "../../../../shared/records/sources/source.ts";
import { envelope, errorPage, record } from "../../../local/cli/harvest/scripted-repository.ts";
import { identify } from "../oai/oai-world.ts";
import { feed, page } from "../reader-world.ts";
import { PolledWorld } from "./polled-world.ts";

const hourMs = 3_600_000;
const begin = Date.parse("2026-11-02T00:00:00Z");
const days = 7;

/** A repository with a, b and c; a new record each day; b changes on the third day, and c is deleted on the fifth. */
function repositoryAt(day: number, { searchParams }: URL): string {
  if (searchParams.get("verb") === "Identify") return identify({ granularity: "YYYY-MM-DD" });
  const dated = (n: number) => `2026-11-0${n + 2}`;
  const all = [
    { name: "a", at: 0, xml: record("a", { datestamp: dated(0) }) },
    day < 3
      ? { name: "b", at: 0, xml: record("b", { datestamp: dated(0) }) }
      : { name: "b", at: 3, xml: record("b", { title: "New", datestamp: dated(3) }) },
    day < 5
      ? { name: "c", at: 0, xml: record("c", { datestamp: dated(0) }) }
      : { name: "c", at: 5, xml: record("c", { deleted: true, datestamp: dated(5) }) },
    ...Array.from({ length: day }, (_, n) => ({
      name: `day${n + 1}`,
      at: n + 1,
      xml: record(`day${n + 1}`, { datestamp: dated(n + 1) }),
    })),
  ];
  const from = searchParams.get("from") ?? "";
  const listed = all.filter(({ at }) => dated(at) >= from).map(({ xml }) => xml);
  if (listed.length === 0) return errorPage("noRecordsMatch");
  return envelope(`<ListRecords>${listed.join("")}</ListRecords>`, `${dated(day)}T00:00:00Z`);
}

/** A feed of the last three articles; two appear each day, at 00:00 and at 12:00. */
function feedAt(hours: number): string {
  const newest = Math.floor(hours / 12);
  return feed(...[newest, newest - 1, newest - 2].filter((n) => n >= 0).map((n) => `/article/${n}`));
}

/** A page that links to an article more each day. */
function siteAt(day: number): string {
  const links = Array.from({ length: day + 1 }, (_, n) => `<a href="/article/${n}">${n}</a>`);
  return `<!doctype html><title>Site</title>${links.join("")}`;
}

const every = (hours: number) => ({
  reading: { mode: "asynchronous" as const, everyMinutes: hours * 60 },
});
const once = { reading: { mode: "synchronous" as const } };
const kinds: [name: string, count: number, settings: Partial<NewSource>][] = [
  ["oai", 30, { type: "OAI-PMH", ...every(6) }],
  ["rss", 30, { type: "RSS", ...every(4) }],
  ["crawl", 30, { type: "CRAWL", crawl: { extractionRegex: "/article/" }, ...every(24) }],
  ["once-oai", 4, { type: "OAI-PMH", ...once }],
  ["once-rss", 3, { type: "RSS", ...once }],
  ["once-crawl", 3, { type: "CRAWL", crawl: { extractionRegex: "/article/" }, ...once }],
];

it("100 sources of three kinds, polled for a week → each change is published once, each article requested once", async () => {
  const world = new PolledWorld();
  for (const [name, count, settings] of kinds) {
    for (let n = 0; n < count; n += 1)
      world.addSource(`${name}-${n}`, { url: `https://${name}-${n}.example/`, ...settings });
  }
  let hours = 0;
  world.answer = (url) => {
    const day = Math.floor(hours / 24);
    if (url.pathname.startsWith("/article/")) return page(`Title ${url.pathname}`);
    if (url.host.includes("oai")) return repositoryAt(day, url);
    // Each host fails for two hours on the second day.
    if (hours >= 28 && hours < 30) return undefined;
    return url.host.includes("rss") ? feedAt(hours) : siteAt(day);
  };
  for (; hours < days * 24; hours += 2) {
    await world.poll(new Date(begin + hours * hourMs));
    if (hours % 24 === 20) await world.deliver(new Date(begin + (hours + 0.5) * hourMs));
  }

  const counts: Record<string, number> = {};
  for (const { type, detail } of world.changes) {
    const kind = `${type} ${String(detail.sourceId).replace(/-\d+$/, "")}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  expect(counts).toEqual({
    "document.new oai": 30 * (3 + 6),
    "document.opened oai": 30,
    "document.deleted oai": 30,
    "document.new rss": 30 * 14,
    "document.new crawl": 30 * 7,
    "document.new once-oai": 4 * 3,
    "document.new once-rss": 3,
    "document.new once-crawl": 3,
    "source.closed once-oai": 4,
    "source.closed once-rss": 3,
    "source.closed once-crawl": 3,
  });
  const articles = world.requested.filter((url) => url.includes("/article/"));
  expect(new Set(articles).size).toBe(articles.length);
  expect(new Set(world.delivered).size).toBe(world.delivered.length);
  expect(await world.memory.runs.listLongHarvests("LIVE")).not.toContainEqual(
    expect.objectContaining({ state: "harvesting" }),
  );
});
