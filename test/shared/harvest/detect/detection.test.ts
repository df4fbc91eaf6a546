import { beforeEach, describe, expect, it } from "vitest";
import {
  type Detection,
  type DetectionResult,
  requestDetection,
} from "../../../../shared/harvest/detect/detection.ts";
import { readDetectionResponse } from "../../../../shared/harvest/detect/read-detection-response.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";

const feed =
  '<rss version="2.0"><channel><title>News</title><item><link>http://j.example/a</link></item></channel></rss>';
const oai =
  '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-20T10:00:00Z</responseDate><request>http://j.example/oai</request><Identify><repositoryName>Rep</repositoryName></Identify></OAI-PMH>';
const page = (links: string) =>
  `<!doctype html><html><head><title>Journal of X</title></head><body>${links}</body></html>`;

let stored: Map<string, Detection>;
let asked: string[];
beforeEach(() => {
  stored = new Map();
  asked = [];
});

/** Detects over hosts that respond with these pages; each response is read twice, as a repeated message would be. */
async function detect(url: string, pages: Record<string, string>): Promise<DetectionResult | undefined> {
  const queue: NewRequest[] = [];
  const seen = new Set<string>();
  const ports = {
    detections: {
      create: async (detection: Detection) => void stored.set(detection.detectionId, detection),
      finish: async (id: string, result: DetectionResult) => {
        const detection = stored.get(id);
        if (detection !== undefined) stored.set(id, { result, ...detection });
      },
    },
    recipeTrials: { finish: async () => expect.fail("it is no trial") },
    requests: { send: async (requests: NewRequest[]) => void queue.push(...requests) },
    bodies: { load: async (key: string) => new TextEncoder().encode(pages[key]) },
    clock: { now: () => new Date("2026-11-20T10:00:00Z") },
    newId: () => "d",
  };
  await requestDetection({ url, group: { groupId: "G", userAgent: "test" } }, ports);
  for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
    if (seen.has(request.id)) continue;
    seen.add(request.id);
    asked.push(request.url);
    const answer = pages[request.url];
    const headers = { "content-type": answer?.startsWith("<!doctype") ? "text/html" : "application/xml" };
    const at = { url: request.url, hops: [], elapsedMs: 1 };
    const outcome =
      answer === undefined
        ? { type: "answered" as const, status: 404, headers: {}, ...at }
        : { type: "answered" as const, status: 200, headers, bodyKey: request.url, ...at };
    const response = { request: outboundRequest.parse(request), outcome };
    await readDetectionResponse(response, ports);
    await readDetectionResponse(response, ports);
  }
  return stored.get("d")?.result;
}

const home = "http://j.example/";

describe("a pasted address", () => {
  it.each<[string, string, Record<string, string>, object, string[]]>([
    [
      "a feed",
      `${home}feed`,
      { [`${home}feed`]: feed },
      { kind: "feed", source: { type: "RSS", title: "News" } },
      [`${home}feed`],
    ],
    [
      "a home page that links to a feed",
      home,
      { [home]: page('<a href="/rss">RSS</a>'), [`${home}rss`]: feed },
      { kind: "page-with-list", source: { type: "RSS", url: `${home}rss`, title: "Journal of X" } },
      [home, `${home}rss`],
    ],
    [
      "a home page whose first link is not a feed after all",
      home,
      {
        [home]: page('<a href="/rss">RSS</a><a href="/atom">A</a>'),
        [`${home}rss`]: page(""),
        [`${home}atom`]: feed,
      },
      { kind: "page-with-list", source: { url: `${home}atom` } },
      [home, `${home}rss`, `${home}atom`],
    ],
    [
      "a home page without a feed",
      home,
      { [home]: page('<a href="/issue/1">1</a>') },
      { kind: "journal-page", source: { type: "CRAWL", url: home, crawl: { maxDepth: 1 } } },
      [home],
    ],
    [
      "a repository, by one of its requests",
      `${home}oai?verb=ListRecords&metadataPrefix=oai_dc`,
      { [`${home}oai?verb=Identify`]: oai },
      { kind: "oai-pmh", source: { type: "OAI-PMH", url: `${home}oai`, title: "Rep" } },
      [`${home}oai?verb=Identify`],
    ],
    [
      "a sitemap",
      `${home}sitemap.xml`,
      { [`${home}sitemap.xml`]: "<urlset><url><loc>http://j.example/a</loc></url></urlset>" },
      { kind: "sitemap", source: { type: "CRAWL", url: home, crawl: { sitemaps: true } } },
      [`${home}sitemap.xml`],
    ],
    [
      "an article",
      `${home}a`,
      { [`${home}a`]: `${page("")}<meta name="citation_title" content="A">` },
      { kind: "article", source: { type: "DIRECT", url: `${home}a` } },
      [`${home}a`],
    ],
  ])("of %s → a source of its kind that delivers nothing yet", async (_what, url, pages, found, urls) => {
    const result = await detect(url, pages);
    expect(result).toMatchObject({ type: "found", ...found });
    expect(asked).toEqual(urls);
    const proposed = result?.type === "found" ? result.source : undefined;
    expect(source.strict().parse(proposed)).toMatchObject({ groupId: "G", deliveryMode: "NONE" });
  });

  it("that nothing answers → says so", async () => {
    expect(await detect(home, {})).toEqual({ type: "nothing", detail: "http://j.example/ answered 404" });
  });

  it("of a page with hundreds of links to feeds → asks six addresses at most", async () => {
    const links = Array.from({ length: 300 }, (_, n) => `<a href="/${n}/rss">RSS</a>`).join("");
    expect(await detect(home, { [home]: page(links) })).toMatchObject({ kind: "journal-page" });
    expect(asked).toHaveLength(6);
  });
});
