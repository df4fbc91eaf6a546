import { beforeEach, describe, expect, it } from "vitest";
import { readArticleResponse } from "../../../../shared/harvest/article/read-article-response.ts";
import { readAuthorityResponse } from "../../../../shared/harvest/authority/read-authority-response.ts";
import type { WaitingArticles } from "../../../../shared/harvest/lookups/waiting-articles.ts";
import { sourcesTallyName, sourceTallyName } from "../../../../shared/records/runs/tally-names.ts";
import { group } from "../../../../shared/records/sources/group.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import {
  type InboundResponse,
  inboundResponse,
  type ResponseOutcome,
} from "../../../../shared/web/request/response.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const runId = "live-20261120T190000Z";
const sourceId = "journal";
const base = "https://names.example/q?name=";

/** The authority file: pages by name, a status where it fails. */
const file = new Map<string, string | number>([
  ["Weber, Max", '<a href="https://d-nb.info/gnd/118629743">'],
  ["Weber, Marianne", '<a href="https://d-nb.info/gnd/118629735">'],
  ["Doe, Jane", "<p>0 hits</p>"],
  ["Roe, Richard", 503],
]);

let memory: MemoryPorts;
let bodies: Map<string, string>;
/** Messages in progress. */
let articles: InboundResponse[];
let requests: NewRequest[];
/** Names that were requested. */
let asked: string[];
let deliveries: number;

beforeEach(() => {
  memory = new MemoryPorts();
  bodies = new Map();
  articles = [];
  requests = [];
  asked = [];
  deliveries = 0;
  const settings = { groupId: "Test", isil: "XX-1", userAgent: "test", outputFolder: "test" };
  memory.groups.set("Test", group.parse({ ...settings, authorLookupUrl: base }));
  memory.sourcesById.set(
    sourceId,
    source.parse({ sourceId, title: "J", type: "RSS", url: "https://j.example/feed", groupId: "Test" }),
  );
});

function ports() {
  return {
    ...memory,
    bodies: {
      load: async (key: string) => new TextEncoder().encode(bodies.get(key)),
      store: () => Promise.reject(new Error("nothing is kept here")),
    },
    articles: { send: async (response: InboundResponse) => void articles.push(response) },
    requests: { send: async (sent: NewRequest[]) => void requests.push(...sent) },
    delivery: { send: async () => void deliveries++ },
    detectLanguage: async () => ({ type: "unknown" }) as const,
    timeZone: "UTC",
  };
}

/** Opens a run with one article for each list of authors. */
async function openRun(...authors: string[][]): Promise<void> {
  articles = authors.map((names, index) => {
    const url = `https://j.example/${index}`;
    const tags = names.map((name) => `<meta name="citation_author" content="${name}">`).join("");
    bodies.set(
      url,
      `<meta name="citation_title" content="T${index}"><meta name="citation_date" content="2026"><meta name="citation_volume" content="1">${tags}`,
    );
    const entry = { id: url, url, creators: [], keywords: [] };
    return answer({ id: `article-${index}`, kind: "article", url, context: { runId, sourceId, entry } }, url);
  });
  await memory.runs.create({
    runId,
    deliveryMode: "LIVE",
    state: "harvesting",
    startedAt: "2026-11-20T19:00:00Z",
    deadlineAt: "2026-11-20T22:00:00Z",
  });
  await memory.runs.updateTally(runId, sourcesTallyName, { opened: [sourceId] });
  await memory.runs.updateTally(runId, sourceTallyName(sourceId), {
    opened: articles.map(({ request }) => request.id),
  });
}

function answer(request: NewRequest, body: string | number): InboundResponse {
  const { url } = request;
  const outcome: ResponseOutcome = {
    type: "answered",
    status: typeof body === "number" ? body : 200,
    url,
    hops: [],
    headers: {},
    ...(typeof body === "string" && { bodyKey: body }),
    elapsedMs: 1,
  };
  return inboundResponse.parse({ request, outcome });
}

/** Reads all messages until there are none, each by `read`, which may break off and repeat it. */
async function finish(read: (work: () => Promise<void>) => Promise<void> = (work) => work()): Promise<void> {
  while (articles.length + requests.length > 0) {
    const article = articles.shift();
    if (article !== undefined) {
      await read(() => readArticleResponse(article, ports()));
      continue;
    }
    const request = requests.shift() as NewRequest;
    const name = decodeURIComponent(request.url.slice(base.length));
    asked.push(name);
    const page = file.get(name) ?? 404;
    if (typeof page === "string") bodies.set(name, page);
    await read(() => readAuthorityResponse(answer(request, typeof page === "string" ? name : page), ports()));
  }
}

function outcomes() {
  const documents = memory.documentOutcomesOf(runId);
  return documents.map((document) => {
    if (document.state !== "converted") throw new Error(document.state);
    const people = memory.marcByKey
      .get(document.recordKey)
      ?.fields.filter(([tag]) => tag === "100" || tag === "700")
      .map(([, , subfields]) => subfields.find(([code]) => code === "0")?.[1] ?? "");
    return { people, warnings: document.warnings };
  });
}

describe("an article with people", () => {
  it("is converted when all names are known, and ends the run then", async () => {
    await openRun(["Weber, Max", "Doe, Jane", "Weber, Marianne"]);
    const [first] = articles as [InboundResponse];
    await readArticleResponse(first, ports());
    expect(requests.map(({ kind, obeyRobots, userAgent }) => [kind, obeyRobots, userAgent])).toEqual(
      Array(3).fill(["authority", false, "test"]),
    );
    articles = [];
    expect(memory.documentOutcomesOf(runId)).toEqual([]);
    await finish();
    expect(outcomes()).toEqual([{ people: ["(DE-588)118629743", "", "(DE-588)118629735"], warnings: [] }]);
    expect(deliveries).toBe(1);
  });

  it("a lookup that fails → the record without the number, and a warning", async () => {
    await openRun(["Roe, Richard", "Weber, Max"]);
    await finish();
    const warning = `"Roe, Richard" could not be looked up: ${base}Roe%2C%20Richard answered 503`;
    expect(outcomes()).toEqual([{ people: ["", "(DE-588)118629743"], warnings: [warning] }]);
  });

  it("no names, or no lookup URL → converted at once", async () => {
    await openRun([], ["M. Weber, Max"]);
    await finish();
    expect(asked).toEqual([]);
    expect(memory.documentOutcomesOf(runId)).toHaveLength(2);
  });

  it("a name of several articles that is known since the first one → requested once", async () => {
    await openRun(["Weber, Max"], ["Doe, Jane"]);
    await finish();
    articles = [];
    await openRun(["Weber, Max"], ["Doe, Jane"], ["Doe, Jane", "Weber, Max"]);
    await finish();
    expect(asked).toEqual(["Weber, Max", "Doe, Jane"]);
    expect(memory.documentOutcomesOf(runId)).toHaveLength(3);
  });

  it("two articles that wait for the same name → both converted, the request the same", async () => {
    await openRun(["Weber, Max"], ["Weber, Max"]);
    for (const response of articles.splice(0)) await readArticleResponse(response, ports());
    expect(new Set(requests.map(({ id }) => id)).size).toBe(1);
    requests = requests.slice(0, 1);
    await finish();
    expect(memory.documentOutcomesOf(runId)).toHaveLength(2);
    expect(deliveries).toBe(1);
  });

  it("several items in one answer, one of them with names to look up → each converted once, closed together", async () => {
    await openRun([]);
    const [only] = articles.splice(0) as [InboundResponse];
    const items = [["Weber", "Max"], []].map((names, index) => ({
      itemType: "journalArticle",
      title: `T${index}`,
      volume: "1",
      url: `https://j.example/item/${index}`,
      creators:
        names.length === 0 ? [] : [{ lastName: names[0], firstName: names[1], creatorType: "author" }],
    }));
    bodies.set("items", JSON.stringify(items));
    const outcome = { ...only.outcome, bodyKey: "items", transport: { translated: "page" } };
    const first = inboundResponse.parse({ ...only, outcome });
    await readArticleResponse(first, ports());
    expect(memory.documentOutcomesOf(runId)).toHaveLength(1);
    expect(deliveries).toBe(0);
    await finish();
    expect(memory.documentOutcomesOf(runId).map(({ state, title }) => [state, title])).toEqual([
      ["converted", "T1"],
      ["converted", "T0"],
    ]);
    expect(asked).toEqual(["Weber, Max"]);
    expect(deliveries).toBeGreaterThan(0);
  });

  it("an answer that comes while the article is put down as waiting → converted at once", async () => {
    await openRun(["Doe, Jane"]);
    const [first] = articles.splice(0) as [InboundResponse];
    const late = ports();
    const add: WaitingArticles["add"] = async (id, response, lookupIds) => {
      for (const lookupId of lookupIds)
        await memory.lookups.store(lookupId, { type: "unknown" }, new Date("2026-12-20"));
      await memory.waiting.add(id, response, lookupIds);
    };
    await readArticleResponse(first, { ...late, waiting: { ...late.waiting, add } });
    expect(requests).toEqual([]);
    expect(memory.documentOutcomesOf(runId)).toHaveLength(1);
  });

  it.for([
    ["an answer", 29 * 24, 0],
    ["an answer", 31 * 24, 1],
    ["no number", 29 * 24, 0],
    ["no number", 31 * 24, 1],
    ["a failure", 5, 0],
    ["a failure", 7, 1],
  ] as const)("%s, %i hours later → asked %i more times", async ([what, hours, times]) => {
    const name = { "an answer": "Weber, Max", "no number": "Doe, Jane", "a failure": "Roe, Richard" }[what];
    await openRun([name]);
    await finish();
    memory.now = new Date(memory.now.getTime() + hours * 3_600_000);
    await openRun([], [name]);
    await finish();
    expect(asked.length).toBe(1 + times);
  });

  it("an answer after the run's deadline → kept for the next run, and wakes nothing that counts", async () => {
    await openRun(["Weber, Max"]);
    const [first] = articles.splice(0) as [InboundResponse];
    await readArticleResponse(first, ports());
    await memory.runs.changeState(runId, ["harvesting"], { state: "delivering" });
    await finish();
    expect(memory.documentOutcomesOf(runId)).toEqual([]);
    expect(memory.lookupsById.size).toBe(1);
  });

  it.for([true, false])(
    "interrupted at any write (before it: %s) and repeated → every article converted, the run at its end",
    async (before) => {
      for (let writes = 0; writes < 12; writes++) {
        memory = Object.assign(new MemoryPorts(), { groups: memory.groups, sourcesById: memory.sourcesById });
        deliveries = 0;
        await openRun(["Weber, Max", "Doe, Jane"], ["Weber, Max", "Roe, Richard"]);
        await finish(async (work) => {
          memory.dieAfter(writes, { before });
          await work().catch(() => undefined);
          memory.live();
          await work();
        });
        const people = outcomes().map((outcome) => outcome.people);
        expect(people, `write ${writes}`).toEqual([
          ["(DE-588)118629743", ""],
          ["(DE-588)118629743", ""],
        ]);
        expect(deliveries, `write ${writes}`).toBeGreaterThan(0);
      }
    },
  );
});
