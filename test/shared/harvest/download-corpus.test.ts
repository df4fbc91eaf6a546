import { afterEach, describe, expect, it } from "vitest";
import { importIni } from "../../../shared/records/sources/conf/import-ini.ts";
import { openCorpus } from "../../corpus.ts";
import { HarvestWorld } from "./harvest-world.ts";
import { MockHost, type MockResponse, translator } from "./mock-hosts.ts";

const corpus = openCorpus("zotero");

interface DownloadCase {
  id: string;
  description: string;
  feed?: Record<string, { body: string; ct?: string }>;
  pages?: Record<string, { body: string; ct?: string }>;
  zts?: Record<string, { status: number; body: unknown }>;
  observed: {
    outputs: Record<string, [string, string[]][]>;
    requests?: { port: number; m: string; p: string; b: string; ct: string | null }[];
  };
}

const cases: DownloadCase[] = corpus.isAbsent ? [] : JSON.parse(corpus.text("download_cases.json"));
const first = cases.find(({ id }) => id === "d01");
const caseOf = (id: string) => cases.find((one) => one.id === id) as DownloadCase;

/**
 * What the cases do not say aboutthemselves: the journal's settings, and other answers than those of the first case.
 */
interface Setting {
  journal: string[];
  feed?: string[];
  answers?: Record<string, MockResponse>;
  /** Where the original does worse: why, what is requested besides, and how many records there are. */
  exception?: { reason: string; requests: string[]; records: number };
}

const rss = ["zotero_type = RSS", "zotero_url = http://127.0.0.1:8088/feed.xml"];
const crawl = [
  "zotero_type = CRAWL",
  "zotero_url = http://127.0.0.1:8088/toc.html",
  "zotero_max_crawl_depth = 1",
  "zotero_extraction_regex = /a/\\d+$",
  "zotero_crawl_url_regex = /issue/\\d+$",
];

const settings: Record<string, Setting> = {
  d01: { journal: rss },
  d03: { journal: rss },
  d05: { journal: rss },
  d07: { journal: rss },
  d09: {
    journal: rss,
    exception: {
      reason: "one bad date of a feed spoils nothing: the article has its own",
      requests: ["POST /web http://127.0.0.1:8088/a/1", "GET /swb?q=Doe%2C%20Jane"],
      records: 1,
    },
  },
  d11: { journal: rss },
  d13: {
    journal: rss,
    answers: { "http://127.0.0.1:8088/a/2": { body: "[{error", contentType: "application/json" } },
  },
  d15: { journal: crawl },
  d17: { journal: crawl },
  d19: { journal: rss, feed: ["/a/1", "/a/2", "/a/3"] },
  d21: { journal: rss, feed: ["/a/1", "/a/2", "/a/3"] },
  d22: { journal: rss, feed: ["/a/1", "/a/2", "/a/3"] },
  d24: { journal: [...rss, "zeder_newly_synced_entry = true"] },
  d26: { journal: rss },
};

function journalSection(name: string, group: string, lines: string[]): string {
  const own = [`zeder_id = ${group.length}`, `zotero_group = ${group}`, "zotero_delivery_mode = LIVE"];
  return [`[${name}]`, ...own, "online_issn = 1111-1119", "online_ppn = 123456789", ...lines].join("\n");
}

function feedOf(paths: string[]): string {
  const items = paths.map((path) => `<item><title>T</title><link>http://127.0.0.1:8088${path}</link></item>`);
  return `<rss version="2.0"><channel><title>T</title>${items.join("")}</channel></rss>`;
}

/** Cases that do not say what the translation server answers have the answers of the first one. */
function translations(one: DownloadCase, { answers }: Setting): Map<string, MockResponse> {
  return new Map(Object.entries(answers ?? one.zts ?? first?.zts ?? {}));
}

const hosts: MockHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

async function run(id: string) {
  const one = caseOf(id);
  const setting = settings[id] as Setting;
  const files = { ...(first?.feed ?? {}), ...one.feed, ...one.pages } as Record<
    string,
    { body: string; ct?: string }
  >;
  if (setting.feed !== undefined) files["/feed.xml"] = { body: feedOf(setting.feed) };
  if (id === "d26") files["/feed2.xml"] = { body: feedOf(["/a/3"]) };
  // Both servers have other ports here than the corpus has: addresses are put right on their way in and out.
  const here = (text: string) => text.replaceAll("127.0.0.1:8088", site.hostKey);
  const there = (text: string) => text.replaceAll(site.hostKey, "127.0.0.1:8088");
  const site: MockHost = await MockHost.start(({ path }) => {
    const file = files[path];
    // Nobody is in the authority file.
    if (path.startsWith("/swb")) return { body: "<html></html>" };
    if (file === undefined) return { status: 404 };
    return { body: here(file.body), contentType: file.ct ?? "text/html" };
  });
  const answer = translator(translations(one, setting));
  const server = await MockHost.start((request) => {
    const { body, ...rest } = answer({ ...request, body: there(request.body) });
    return { ...rest, body: typeof body === "string" ? body : JSON.parse(here(JSON.stringify(body))) };
  });
  hosts.push(site, server);

  const journals = [journalSection("Test journal", "IxTheo", setting.journal.map(here))];
  if (id === "d26")
    journals.push(
      journalSection(
        "Other journal",
        "KrimDok",
        rss.map(here).map((line) => line.replace("feed.xml", "feed2.xml")),
      ),
    );
  const imported = importIni(`${here(corpus.text("base_head.ini"))}\n${journals.join("\n")}\n`);
  if (imported.type === "refused")
    throw new Error(imported.problems.map(({ message }) => message).join("; "));
  const world = new HarvestWorld({
    hosts: [site],
    translationServer: server,
    policy: { crawlDelayMaxMs: imported.settings.maxDelayMs },
  });
  for (const group of imported.groups) world.memory.groups.set(group.groupId, group);
  for (const source of imported.sources) world.memory.sourcesById.set(source.sourceId, source);
  world.memory.sources.settings = async () => imported.settings;
  const outcome = await world.harvest();
  const asked = [
    ...site.requests.map(({ method, path }) => `${method} ${path}`),
    ...server.requests.map(({ method, path, body }) => `${method} ${path} ${there(body)}`),
  ];
  const records = world.recordsOf(outcome.documents).map(([title, urls]) => [title, urls.map(there)]);
  return { world, outcome, server, asked, records };
}

/** What the original requested, each request once. */
function askedByOriginal(one: DownloadCase): string[] {
  const asked = (one.observed.requests ?? []).map(({ m, p, b }) =>
    m === "POST" ? `${m} ${p} ${compact(b)}` : `${m} ${p}`,
  );
  return [...new Set(asked)];
}

function compact(body: string): string {
  return body.startsWith("{") ? JSON.stringify(JSON.parse(body)) : body;
}

/** A record that the original made twice in one run is one here. */
function recordsOfOriginal({ observed }: DownloadCase): [string, string[]][] {
  const all = Object.values(observed.outputs).flat();
  const distinct = new Map(all.map(([title, urls]) => [title, [...urls].sort()]));
  return [...distinct].sort(([a], [b]) => a.localeCompare(b));
}

describe.skipIf(corpus.isAbsent)(
  "the original's downloads (skipped without the corpus beside the project)",
  () => {
    it("every case is tried", () => {
      expect(cases.map(({ id }) => id).sort()).toEqual(Object.keys(settings).sort());
    });

    it.each(cases.map(({ id, description }) => [id, description]))("%s %s", async (id) => {
      const one = caseOf(id);
      const { exception } = settings[id] as Setting;
      const result = await run(id);
      // The file is requested whenever a host is, and kept; the original skips it for hosts with settings of their own.
      // A page that was translated is requested, too: a translation never replaces what the page says.
      const others = (asked: string[]) =>
        asked
          .filter(
            (each) => each !== "GET /robots.txt" && !asked.some((other) => isTranslationOf(other, each)),
          )
          .map(compactPost)
          .sort();
      expect(others(result.asked)).toEqual(others([...askedByOriginal(one), ...(exception?.requests ?? [])]));
      expect(result.asked.filter((each) => each === "GET /robots.txt").length).toBeLessThanOrEqual(1);
      if (exception === undefined) expect(result.records).toEqual(recordsOfOriginal(one));
      else expect(result.records, exception.reason).toHaveLength(exception.records);
      expect(result.server.maxConcurrent).toBeLessThanOrEqual(1);
      expect(result.world.deliveries.length).toBeGreaterThan(0);
    });
  },
);

/** Whether a request asks the translation server for the page of another request. */
function isTranslationOf(asked: string, page: string): boolean {
  return asked.startsWith("POST /web http") && `GET ${new URL(asked.slice(10)).pathname}` === page;
}

function compactPost(asked: string): string {
  const at = asked.indexOf("{");
  return at < 0 ? asked : asked.slice(0, at) + compact(asked.slice(at));
}
