import { beforeEach, describe, expect, it } from "vitest";
import { reportRun } from "../../../shared/delivery/report/report.ts";
import { validateRun } from "../../../shared/delivery/validate/validate.ts";
import { readArticleResponse } from "../../../shared/harvest/read-article.ts";
import { readFeedResponse } from "../../../shared/harvest/read-feed.ts";
import { runIdOf, runStart } from "../../../shared/harvest/run.ts";
import { startHarvest } from "../../../shared/harvest/start-harvest.ts";
import { type NewSource, source } from "../../../shared/sources/source.ts";
import { type NewRequest, outboundRequest } from "../../../shared/web/gate/request.ts";
import {
  type InboundResponse,
  inboundResponse,
  type ResponseOutcome,
} from "../../../shared/web/gate/response.ts";
import { MemoryPorts } from "../memory-ports.ts";

const start = { deliveryMode: "LIVE" as const, scheduledTime: "2026-11-20T20:00:00+01:00" };
const runId = "live-20261120T190000Z";
const failure: ResponseOutcome = { type: "failed", reason: "dns", detail: "no such host", attempts: 3 };

let memory: MemoryPorts;
let bodies: Map<string, string>;
let sent: NewRequest[];
let deliveries: string[];
let mails: { id: string; runId: string; sourceId: string }[];
let deadlines: [string, string][];

beforeEach(() => {
  memory = new MemoryPorts();
  memory.addGroup("Test");
  bodies = new Map();
  sent = [];
  deliveries = [];
  deadlines = [];
  mails = [];
});

function ports() {
  const { sources, status, runs, records, archive, authorities, waiting, events, clock } = memory;
  return {
    sources,
    status,
    runs,
    records,
    archive,
    authorities,
    waiting,
    events,
    clock,
    bodies: {
      body: async (key: string) => new TextEncoder().encode(bodies.get(key)),
      keep: async (key: string, content: Uint8Array) => {
        bodies.set(key, new TextDecoder().decode(content));
        return key;
      },
    },
    requests: { send: async (requests: NewRequest[]) => void sent.push(...requests) },
    delivery: { send: async (message: { runId: string }) => void deliveries.push(message.runId) },
    mail: {
      send: async (message: { id: string; runId: string; sourceId: string }) => void mails.push(message),
    },
    deadlines: { set: async (id: string, at: string) => void deadlines.push([id, at]) },
    runDeadlineMinutes: 180,
    detectLanguage: async () => ({ type: "unknown" }) as const,
    timeZone: "UTC",
  };
}

function addSource(sourceId: string, more: Partial<NewSource> = {}): void {
  const value = {
    sourceId,
    title: sourceId,
    type: "RSS",
    url: `https://${sourceId}.example/feed`,
    groupId: "Test",
  };
  memory.sourcesById.set(sourceId, source.parse({ ...value, deliveryMode: "LIVE", ...more }));
}

/** The message that the gate would send for a request. */
function answer(request: NewRequest, outcome: ResponseOutcome | string): InboundResponse {
  if (typeof outcome !== "string")
    return inboundResponse.parse({ request: outboundRequest.parse(request), outcome });
  bodies.set(request.id, outcome);
  const { url } = request;
  const answered = {
    type: "answered",
    status: 200,
    url,
    hops: [{ url, status: 200 }],
    headers: {},
    bodyKey: request.id,
    elapsedMs: 1,
  };
  return inboundResponse.parse({ request: outboundRequest.parse(request), outcome: answered });
}

const requestOf = (kind: string) => sent.filter((request) => request.kind === kind);

function feed(...paths: string[]): string {
  const items = paths.map((path) => `<item><title>T ${path}</title><link>${path}</link></item>`);
  return `<rss version="2.0"><channel><title>F</title>${items.join("")}</channel></rss>`;
}

const page = (
  title: string,
) => `<!doctype html><title>x</title><meta name="citation_title" content="${title}">
<meta name="citation_author" content="Pell, Ottoline"><meta name="citation_volume" content="1">
<meta name="citation_date" content="2026">`;

describe("the id of a run", () => {
  it("the same moment in any offset → the same run", () => {
    expect(runIdOf(start)).toBe(runId);
    expect(runIdOf({ deliveryMode: "LIVE", scheduledTime: "2026-11-20T19:00:00.000Z" })).toBe(runId);
    expect(runIdOf({ deliveryMode: "TEST", scheduledTime: "2026-11-20T19:00:00Z" })).toBe(
      "test-20261120T190000Z",
    );
  });

  it("previews of two sources at the same moment → two runs", () => {
    const [one, other] = ["a", "b"].map((sourceId) =>
      runIdOf({ ...start, deliveryMode: "NONE", sourceIds: [sourceId] }),
    );
    expect(one).toMatch(/^none-20261120T190000Z-[\w-]{16}$/);
    expect(other).not.toBe(one);
  });

  it.each([
    [{ ...start, deliveryMode: "DAILY" }, "deliveryMode"],
    [{ ...start, deliveryMode: "NONE" }, "sourceIds"],
    [{ ...start, newest: 0 }, "newest"],
    [{ ...start, scheduledTime: "today" }, "scheduledTime"],
    [{ ...start, sourceIds: [] }, "sourceIds"],
  ])("%j → refused, naming %s", (value, field) => {
    expect(runStart.safeParse(value).error?.issues[0]?.path).toEqual([field]);
  });
});

describe("startHarvest", () => {
  it("asks for the feed of every source of the mode, and sets the deadline", async () => {
    addSource("a");
    addSource("b", { throttleMs: 500 });
    addSource("test", { deliveryMode: "TEST" });
    addSource("off", { deliveryMode: "NONE" });
    await startHarvest(start, ports());
    expect(sent.map(({ url, throttleMs }) => [url, throttleMs])).toEqual([
      ["https://a.example/feed", undefined],
      ["https://b.example/feed", 500],
    ]);
    expect(deadlines).toEqual([[runId, "2026-11-20T22:00:00.000Z"]]);
    expect(memory.runsById.get(runId)?.state).toBe("harvesting");
  });

  it("started again → nothing more is asked", async () => {
    addSource("a");
    await startHarvest(start, ports());
    await startHarvest(start, ports());
    expect(sent).toHaveLength(1);
  });

  it("only the sources that are named", async () => {
    addSource("a");
    addSource("b");
    await startHarvest({ ...start, sourceIds: ["b"] }, ports());
    expect(sent.map(({ url }) => url)).toEqual(["https://b.example/feed"]);
  });

  it("no source → the delivery at once, which tells so", async () => {
    await startHarvest(start, ports());
    expect(deliveries).toEqual([runId]);
  });

  it("a source that lacks what its type needs → reported, and the run ends", async () => {
    addSource("a", { type: "APIQUERY" });
    await startHarvest(start, ports());
    expect((await memory.runs.sources(runId))[0]).toMatchObject({
      state: "failed",
      reason: "a source of type APIQUERY needs an online ISSN to search for",
    });
    expect(deliveries).toEqual([runId]);
  });

  it("an invalid source among those that are named → reported, the others are asked for", async () => {
    addSource("a");
    memory.unusable.push({ sourceId: "bad", title: "Bad", problem: "url: must be a URL" });
    await startHarvest({ ...start, sourceIds: ["bad", "a", "none"] }, ports());
    expect(sent.map(({ url }) => url)).toEqual(["https://a.example/feed"]);
    expect(await memory.runs.sources(runId)).toMatchObject([
      { sourceId: "bad", title: "Bad", state: "failed", reason: "url: must be a URL" },
      { sourceId: "none", state: "failed", reason: "there is no LIVE source none" },
    ]);
  });

  it("a source that is new from Zeder → left out, unless it is named", async () => {
    addSource("a");
    addSource("new", { newlySynced: true });
    await startHarvest(start, ports());
    await startHarvest({ ...start, scheduledTime: "2026-11-21T20:00:00Z", sourceIds: ["new"] }, ports());
    expect(sent.map(({ url }) => url)).toEqual(["https://a.example/feed", "https://new.example/feed"]);
  });

  it.each([true, false])(
    "broken off at any write (before it: %s), started again → every feed is asked for",
    async (before) => {
      for (let writes = 0; writes < 8; writes += 1) {
        memory = new MemoryPorts();
        memory.addGroup("Test");
        sent = [];
        addSource("a");
        addSource("b");
        memory.dieAfter(writes, { before });
        await startHarvest(start, ports()).catch(() => undefined);
        memory.live();
        await startHarvest(start, ports());
        expect(new Set(sent.map(({ url }) => url)).size, `write ${writes}`).toBe(2);
        expect(memory.runsById.get(runId)?.state).toBe("harvesting");
      }
    },
  );
});

describe("the sources of a run", () => {
  it.each([
    { mode: "LIVE" as const, seen: ["journal"] },
    { mode: "TEST" as const, seen: [] },
  ])("$mode → waited for from now on: $seen", async ({ mode, seen }) => {
    addSource("journal", { deliveryMode: mode });
    await startHarvest({ ...start, deliveryMode: mode, sourceIds: ["journal"] }, ports());
    expect([...memory.statuses.keys()]).toEqual(seen);
  });

  it("one whose group is not valid → fails by itself, with the group's name and problem", async () => {
    addSource("bad", { groupId: "Broken" });
    addSource("good");
    memory.unusableGroups.push({ groupId: "Broken", problem: "destination.host: too short" });
    const both = { ...start, sourceIds: ["bad", "good"] };
    await startHarvest(both, ports());
    expect(await memory.runs.sources(runIdOf(both))).toMatchObject([
      { sourceId: "bad", state: "failed", reason: "group Broken: destination.host: too short" },
    ]);
    expect(sent.map(({ url }) => url)).toEqual(["https://good.example/feed"]);
  });
});

describe("a preview", () => {
  const preview = { ...start, deliveryMode: "NONE" as const, sourceIds: ["off"], newest: 2 };
  const previewId = runIdOf(preview);

  beforeEach(async () => {
    addSource("off", { deliveryMode: "NONE" });
    await startHarvest(preview, ports());
  });

  const readThe = async (text: string) =>
    readFeedResponse(answer(requestOf("feed")[0] as NewRequest, text), ports());

  it("of a source of any mode → its feed is asked for, and nothing notes that it was seen", () => {
    expect(sent.map(({ url }) => url)).toEqual(["https://off.example/feed"]);
    expect(memory.statuses.size).toBe(0);
  });

  it("a dated list → the newest by their dates; known ones too", async () => {
    memory.archived.set("url:off.example/3", { owner: "earlier", entryKey: "record:1", state: "automatic" });
    const dated = feed("/1", "/2", "/3").replace(
      /<title>T \/(\d)/g,
      "<pubDate>Fri, 0$1 May 2026 08:00:00 GMT</pubDate><title>T",
    );
    await readThe(dated);
    expect(requestOf("article").map(({ url }) => url)).toEqual([
      "https://off.example/3",
      "https://off.example/2",
    ]);
  });

  it("an undated list → its first ones", async () => {
    await readThe(feed("/1", "/2", "/3"));
    expect(requestOf("article").map(({ url }) => url)).toEqual([
      "https://off.example/1",
      "https://off.example/2",
    ]);
  });

  it("to its end → validated and over; no record, no event, nothing to upload", async () => {
    await readThe(feed("/1"));
    await readArticleResponse(answer(requestOf("article")[0] as NewRequest, page("One")), ports());
    expect(deliveries).toEqual([previewId]);
    const next: unknown[] = [];
    const { rules, delinquents } = memory;
    const stage = {
      ...ports(),
      rules,
      delinquents,
      next: { send: async (message: unknown) => void next.push(message) },
    };
    await validateRun({ runId: previewId }, stage);
    await validateRun({ runId: previewId }, stage);
    expect(memory.documents(previewId)).toMatchObject([{ state: "converted", title: "One" }]);
    expect(memory.runsById.get(previewId)?.state).toBe("finished");
    expect([memory.recordsById.size, memory.published, next, memory.archived.size]).toEqual([0, [], [], 0]);
  });
});

describe("a run", () => {
  beforeEach(async () => {
    addSource("a");
    await startHarvest(start, ports());
  });

  const theFeed = () => requestOf("feed")[0] as NewRequest;

  it("the last article read → the delivery, once asked for", async () => {
    await readFeedResponse(answer(theFeed(), feed("/1", "/2")), ports());
    const [one, two] = requestOf("article") as [NewRequest, NewRequest];
    await readArticleResponse(answer(one, page("One")), ports());
    expect(deliveries).toEqual([]);
    await readArticleResponse(answer(two, failure), ports());
    expect(deliveries).toEqual([runId]);
    const states = memory.documents(runId).map(({ state, title }) => [state, title]);
    expect(states).toEqual([
      ["converted", "One"],
      ["failed", "T /2"],
    ]);
  });

  it.each([
    ["a source names no collection, its feed no date", {}, "", "a", "2026-01-01T00:00:00.000Z"],
    ["a source names one", { collectionId: "shared" }, "", "shared", "2026-01-01T00:00:00.000Z"],
    [
      "its feed gives a date",
      {},
      "<pubDate>Fri, 01 May 2026 10:00:00 +0200</pubDate>",
      "a",
      "2026-05-01T08:00:00.000Z",
    ],
  ])(
    "%s → collection and syndication date of its records",
    async (_title, more, date, collectionId, time) => {
      addSource("a", more);
      const withDate = feed("/1").replace("</item>", `${date}</item>`);
      await readFeedResponse(answer(theFeed(), withDate), ports());
      await readArticleResponse(answer(requestOf("article")[0] as NewRequest, page("One")), ports());
      const [record] = memory.recordsById.values();
      expect(record).toMatchObject({ collectionId, syndicatedAt: time });
    },
  );

  it("neither feed nor page gives a date → the time of the harvest", async () => {
    await readFeedResponse(answer(theFeed(), feed("/1")), ports());
    const undated = page("One").replace(/<meta name="citation_date"[^>]*>/, "");
    await readArticleResponse(answer(requestOf("article")[0] as NewRequest, undated), ports());
    expect([...memory.recordsById.values()][0]?.syndicatedAt).toBe(memory.now.toISOString());
  });

  it("answers in any order and twice → the same end", async () => {
    await readFeedResponse(answer(theFeed(), feed("/1", "/2")), ports());
    const articles = requestOf("article").slice(0, 2);
    for (const request of [...articles.toReversed(), ...articles]) {
      await readArticleResponse(answer(request, page(request.url)), ports());
    }
    await readFeedResponse(answer(theFeed(), feed("/1", "/2")), ports());
    expect(new Set(deliveries)).toEqual(new Set([runId]));
    expect(memory.documents(runId).map(({ state }) => state)).toEqual(["converted", "converted"]);
    expect(memory.recordsById.size).toBe(2);
  });

  it.each<[string, ResponseOutcome | string, RegExp]>([
    ["no answer", failure, /no answer \(dns\)/],
    ["a web page", "<!doctype html><html><body>Moved</body></html>", /is no feed \(html\)/],
    ["nothing", "", /is no feed \(empty\)/],
    ["half a feed", "<rss version='2.0'><channel><item><title>T", /is no feed \(truncated\)/],
    [
      "an error",
      { type: "answered", status: 500, url: "u", hops: [], headers: {}, elapsedMs: 1 },
      /answered 500/,
    ],
    [
      "a refusal",
      { type: "refused", reason: "address", detail: "10.0.0.1" },
      /not fetched \(address\): 10\.0\.0\.1/,
    ],
  ])(
    "a feed that is %s → the source failed with the reason, and the run ends",
    async (_what, outcome, reason) => {
      await readFeedResponse(answer(theFeed(), outcome), ports());
      expect((await memory.runs.sources(runId))[0]).toMatchObject({
        state: "failed",
        reason: expect.stringMatching(reason),
      });
      expect(deliveries).toEqual([runId]);
    },
  );

  it("an article that the archive knows by its address → not asked for again", async () => {
    memory.archived.set("url:a.example/1", { owner: "earlier", entryKey: "record:1", state: "automatic" });
    await readFeedResponse(answer(theFeed(), feed("/1", "/2", "/2")), ports());
    expect(requestOf("article").map(({ url }) => url)).toEqual(["https://a.example/2"]);
    expect((await memory.runs.sources(runId))[0]).toMatchObject({
      entries: 3,
      known: { delivered: 1 },
      requested: 1,
    });
  });

  it.each([
    ["an article that says a delivered DOI", "On Knots", [["doi:10.5555/1", "automatic"]], "known"],
    ["one that could not even be converted", "", [["doi:10.5555/1", "automatic"]], "known"],
    [
      "one that was refused, or is to be delivered anew",
      "On Knots",
      [
        ["doi:10.5555/1", "error"],
        ["url:a.example/1", "reset"],
      ],
      "converted",
    ],
  ] as const)("%s → %s", async (_what, title, archived, state) => {
    for (const [key, is] of archived) {
      memory.archived.set(key, { owner: "earlier", entryKey: "record:1", state: is });
    }
    await readFeedResponse(answer(theFeed(), feed("/1")), ports());
    const html = `${page(title)}<meta name="citation_doi" content="10.5555/1">`;
    await readArticleResponse(answer(requestOf("article")[0] as NewRequest, html), ports());
    expect(memory.documents(runId).map((document) => document.state)).toEqual([state]);
  });

  it("the deadline before an answer → the report tells of the source and of the article", async () => {
    addSource("silent");
    await startHarvest({ ...start, scheduledTime: "2026-11-21T20:00:00Z" }, ports());
    const later = "live-20261121T200000Z";
    const ask = requestOf("feed").find(
      ({ url, context }) => url.includes("a.example") && context?.runId === later,
    );
    await readFeedResponse(answer(ask as NewRequest, feed("/1")), ports());
    await memory.runs.move(later, ["harvesting"], { state: "delivering" });
    const { sources } = await reportRun(later, memory.runs);
    expect(
      sources.map(({ sourceId, state, reason, unanswered }) => [sourceId, state, reason, unanswered]),
    ).toEqual([
      ["a", "read", undefined, 1],
      ["silent", "failed", "no answer before the deadline", 0],
    ]);
  });

  it("an entry too large for a message → dropped with its reason, the others go on", async () => {
    await readFeedResponse(
      answer(theFeed(), feed("/1", `/${"x".repeat(4000)}`).replace("T /1", "T".repeat(30_000))),
      ports(),
    );
    const [outcome] = await memory.runs.sources(runId);
    expect(outcome?.dropped.map(({ entry }) => entry)).toEqual(["https://a.example/1"]);
    expect(requestOf("article")).toHaveLength(outcome?.requested ?? -1);
  });

  it("an answer after the delivery has begun → changes nothing", async () => {
    await readFeedResponse(answer(theFeed(), feed("/1")), ports());
    await memory.runs.move(runId, ["harvesting"], { state: "delivering" });
    await readArticleResponse(answer(requestOf("article")[0] as NewRequest, page("Late")), ports());
    expect(memory.documents(runId)).toEqual([]);
    expect(deliveries).toEqual([]);
  });

  it.each([true, false])(
    "a reader broken off at any write (before it: %s) and repeated → the run ends with all",
    async (before) => {
      for (let writes = 0; writes < 8; writes += 1) {
        memory = new MemoryPorts();
        memory.addGroup("Test");
        addSource("a");
        sent = [];
        deliveries = [];
        await startHarvest(start, ports());
        const read = async (work: () => Promise<void>) => {
          memory.dieAfter(writes, { before });
          await work().catch(() => undefined);
          memory.live();
          await work();
        };
        await read(() => readFeedResponse(answer(theFeed(), feed("/1")), ports()));
        await read(() =>
          readArticleResponse(answer(requestOf("article")[0] as NewRequest, page("One")), ports()),
        );
        expect(deliveries.length, `write ${writes}`).toBeGreaterThan(0);
        expect(memory.documents(runId).map(({ state }) => state)).toEqual(["converted"]);
        expect(memory.published.length).toBeGreaterThan(0);
      }
    },
  );
});
