import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { collectionRoutes } from "../../../shared/api/collection-routes.ts";
import { linkRoutes } from "../../../shared/api/link-routes.ts";
import { publicRoutes } from "../../../shared/api/public-routes.ts";
import { ConfigError, InputError } from "../../../shared/core/errors.ts";
import type { RuleTest } from "../../../shared/links/rule/rule-test.ts";
import { sweepCollections } from "../../../shared/links/sweep/sweep-collections.ts";
import { bestEffort } from "../../../shared/runtime/best-effort.ts";
import { hourMs, LinkWorld } from "../links/link-world.ts";
import { MemoryPorts } from "../memory-ports.ts";

let world: LinkWorld;
let memory: MemoryPorts;
let tests: Map<string, RuleTest>;

beforeEach(async () => {
  world = new LinkWorld();
  memory = new MemoryPorts();
  tests = new Map();
  world.addCollection({ collectionId: "c", title: "C" }, 5);
  const recordKey = await memory.records.keepMarc("c-001", { leader: "", control: [], fields: [] });
  await memory.records.save({
    recordId: "c-001",
    sourceId: "c",
    groupId: "G",
    collectionId: "c",
    runId: "r",
    deliveryMode: "LIVE",
    title: "One",
    landingUrl: "https://c.example/1",
    syndicatedAt: "2026-01-01T00:00:00.000Z",
    hash: "h",
    recordKey,
    state: "delivered",
    updatedAt: "2026-01-01T00:00:00.000Z",
  });
});

async function ask(method: string, path: string, body?: unknown) {
  const { ports } = world;
  const links = ports.records;
  const ruleTests = {
    open: async (test: RuleTest) => void tests.set(test.testId, test),
    get: async (id: string) => tests.get(id),
  };
  const app = new Hono()
    .route("/", publicRoutes({ ...ports, records: memory.records, links, bestEffort }))
    .route("/", collectionRoutes({ ...ports, links }))
    .route("/", linkRoutes({ ...ports, links, ruleTests, newId: () => "t1" }));
  app.onError((error, context) =>
    context.json({ error: error.message }, error instanceof InputError ? 400 : 500),
  );
  const answer = await app.request(path, {
    method,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

async function suppress(): Promise<void> {
  world.reply = () => 404;
  await world.sweep();
}

describe("GET /records?collection=", () => {
  it("the active records, newest first, page by page", async () => {
    world.reply = (url) => (url.endsWith("/4") ? 404 : 200);
    await world.open("c-004");
    const first = await ask("GET", "/records?collection=c&limit=3");
    const second = await ask("GET", `/records?collection=c&limit=3&next=${first.body.next}`);
    const ids = [first, second].map(({ body }) =>
      (body.records as { recordId: string }[]).map(({ recordId }) => recordId),
    );
    expect(ids).toEqual([["c-005", "c-003", "c-002"], ["c-001"]]);
    expect(second.body.next).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["suppressed", suppress],
    ["held", () => world.hold("c")],
  ])("a collection that is %s → none, and why", async (_title, prepare) => {
    await prepare();
    const { status, body } = await ask("GET", "/records?collection=c");
    expect(status).toBe(200);
    expect(body).toEqual({ collection: { collectionId: "c", status: "suppressed" }, records: [] });
  });

  it("made up where a suppressed collection goes on → 400, as with any other", async () => {
    await suppress();
    const { status, body } = await ask("GET", "/records?collection=c&next=made-up");
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^next: .*"made-up"/)]);
  });

  it("a deleted collection → none", async () => {
    await suppress();
    await world.pass(100 * hourMs);
    const { body } = await ask("GET", "/records?collection=c");
    expect(body).toEqual({ collection: { collectionId: "c", status: "deleted" }, records: [] });
  });

  it.each([
    ["", "collection"],
    ["?collection=c&limit=0", "limit"],
    ["?collection=c&limit=many", "limit"],
    ["?collection=c&limit=1e2", "limit"],
    ["?collection=c&next=made-up", "next"],
    ["?collection=nobody&next=", "next"],
  ])("%s → 400, naming %s", async (query, field) => {
    const { status, body } = await ask("GET", `/records${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatch(new RegExp(`^${field}: `));
  });
});

describe("GET /records/{id}", () => {
  it("its collection suppressed → 200, with both states", async () => {
    await suppress();
    const { status, body } = await ask("GET", "/records/c-001");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      recordId: "c-001",
      link: { status: "active", collectionStatus: "suppressed" },
    });
  });

  it("what is ours alone → not shown", async () => {
    const deliveryMode = "LIVE" as const;
    await memory.records.reopen({ recordId: "c-001", deliveryMode });
    const details = { findings: ["why"], deliveryFile: "f.xml" };
    await memory.records.setState({ recordId: "c-001", deliveryMode }, "delivered", details);
    const { body } = await ask("GET", "/records/c-001");
    expect(Object.keys(body)).toEqual([
      "recordId",
      "sourceId",
      "collectionId",
      "title",
      "landingUrl",
      "syndicatedAt",
      "hash",
      "state",
      "updatedAt",
      "link",
      "marc",
    ]);
  });

  it("unknown → 404", async () => {
    expect((await ask("GET", "/records/nobody")).status).toBe(404);
  });
});

describe("GET /records/{id}/source", () => {
  it.each([
    ["the queue takes nothing", "requests", "send"],
    ["its collection is stored wrong", "collections", "get"],
  ] as const)("%s → redirected all the same", async (_title, port, method) => {
    const fail = () => Promise.reject(new ConfigError("out of order"));
    Object.assign(world.ports, { [port]: { ...world.ports[port], [method]: fail } });
    expect(await ask("GET", "/records/c-001/source")).toMatchObject({
      status: 302,
      location: "https://c.example/1",
    });
  });

  it.each([
    ["https://c.example/%E6%97%A5/本", "https://c.example/%E6%97%A5/%E6%9C%AC"],
    ["https://c.example/ä?q=ö", "https://c.example/%C3%A4?q=%C3%B6"],
    ["https://c.example/a%2Fb?q=%20#x", "https://c.example/a%2Fb?q=%20#x"],
  ])("%s → Location %s", async (landingUrl, expected) => {
    world.addRecord("c", 1, { landingUrl });
    expect((await ask("GET", "/records/c-001/source")).location).toBe(expected);
  });

  it("302 to its page at once, and one check, however often it is opened", async () => {
    for (let times = 0; times < 3; times += 1) {
      const { status, location } = await ask("GET", "/records/c-001/source");
      expect([status, location]).toEqual([302, "https://c.example/1"]);
    }
    await world.settle();
    expect(world.asked.map(({ url }) => url)).toEqual(["https://c.example/1"]);
  });

  it.each<[string, string]>([
    ["c-009", "there is no record c-009"],
    ["c-007", "record c-007 has no landing URL"],
    ["c-008", "record c-008 has no landing URL"],
  ])("%s → 404: %s", async (id, reason) => {
    world.addRecord("c", 7, { landingUrl: "" });
    world.addRecord("c", 8, { landingUrl: "javascript:alert(1)" });
    const { status, body } = await ask("GET", `/records/${id}/source`);
    expect([status, body.error]).toEqual([404, reason]);
  });
});

describe("GET /suppressed-collections", () => {
  it("suppressed and held ones, and no others", async () => {
    await suppress();
    world.addCollection({ collectionId: "d", title: "D", hold: true });
    world.addCollection({ collectionId: "e", title: "E" });
    expect((await ask("GET", "/suppressed-collections")).body).toEqual({
      collections: [
        { collectionId: "c", title: "C", status: "suppressed" },
        { collectionId: "d", title: "D", status: "suppressed" },
      ],
    });
  });
});

describe("GET /suppressed-collections, again and again", () => {
  const path = "/suppressed-collections";

  it("may be kept for half a minute; unchanged → 304; all collections are read once in that time", async () => {
    const app = publicRoutes({
      ...world.ports,
      records: memory.records,
      links: world.ports.records,
      bestEffort,
    });
    const first = await app.request(path);
    expect(first.headers.get("cache-control")).toBe("public, max-age=30");
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    await world.hold("c");
    const reads = world.reads;
    expect((await app.request(path, { headers })).status).toBe(304);
    expect(world.reads).toBe(reads);
    world.nowMs += 30_000;
    const later = await app.request(path, { headers });
    expect([later.status, await later.json()]).toEqual([
      200,
      { collections: [{ collectionId: "c", title: "C", status: "suppressed" }] },
    ]);
  });
});

describe("/collections", () => {
  it("PUT → saved with its defaults; GET shows it, and the list", async () => {
    const put = await ask("PUT", "/collections/new", { title: "New", rule: { statusCodes: "301,4.." } });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ collectionId: "new", status: "active", ladderHours: [1, 8, 64] });
    expect((await ask("GET", "/collections/new")).body).toEqual(put.body);
    expect((await ask("GET", "/collections")).body.collections).toHaveLength(2);
  });

  it.each<[field: string, unknown]>([
    ["rule.statusCodes", { title: "C", rule: { statusCodes: "[" } }],
    ["rule.xpath", { title: "C", rule: { xpath: "//p[" } }],
    ["title", {}],
    ["colour", { title: "C", colour: "red" }],
    ["rule.colour", { title: "C", rule: { colour: "red" } }],
    ["body", "{"],
    ["body", []],
  ])("PUT with a bad %s → 400, naming it; nothing is saved", async (field, body) => {
    const { status, body: answer } = await ask("PUT", "/collections/new", body);
    expect(status).toBe(400);
    expect(answer.error).toMatch(new RegExp(`^${field.replaceAll(".", "\\.")}: `));
    // It was not sent.
    expect(answer.error).not.toContain("collectionId");
    expect((await ask("GET", "/collections/new")).status).toBe(404);
  });

  it.each<[stands: string, prepare: () => Promise<unknown>]>([
    ["active", async () => {}],
    ["suppressed", suppress],
    ["held", () => world.hold("c")],
    ["checked without a finding", () => world.sweep()],
  ])(
    "PUT of what GET tells of one that is %s → the same again; changed in one field → that field",
    async (_stands, prepare) => {
      await prepare();
      const before = (await ask("GET", "/collections/c")).body;
      expect(await ask("PUT", "/collections/c", before)).toMatchObject({ status: 200, body: before });
      const changed = { ...before, inconclusiveLimit: 7 };
      expect(await ask("PUT", "/collections/c", changed)).toMatchObject({ status: 200, body: changed });
      expect((await ask("GET", "/collections/c")).body).toEqual(changed);
    },
  );

  it("what GET has told of one that is removed → creates it anew", async () => {
    const { body } = await ask("GET", "/collections/c");
    await ask("DELETE", "/collections/c");
    expect(await ask("PUT", "/collections/c", body)).toMatchObject({ status: 200, body });
  });

  it.each<[field: string, value: unknown]>([
    ["collectionId", "d"],
    ["hold", true],
    ["status", "deleted"],
    ["fate", { status: "active" }],
  ])("PUT that would change %s → 400 that says what does; nothing is saved", async (field, value) => {
    const { body } = await ask("GET", "/collections/c");
    const { status, body: answer } = await ask("PUT", "/collections/c", {
      ...body,
      title: "New",
      [field]: value,
    });
    const says = new RegExp(`^${field}: a PUT does not change it \\(.+\\): leave it out, or as it is`);
    expect([status, answer.error]).toEqual([400, expect.stringMatching(says)]);
    expect((await ask("GET", "/collections/c")).body).toEqual(body);
  });

  it("PUT of a rule that names 200 → saved, with a warning that names field and value; GET has none", async () => {
    const body = { title: "C", rule: { statusCodes: "301,[0-9]{3}" } };
    expect((await ask("PUT", "/collections/c", body)).body).toMatchObject({
      ...body,
      warnings: ['rule.statusCodes: names 200, so that healthy links are broken (got "301,[0-9]{3}")'],
    });
    expect((await ask("GET", "/collections/c")).body).not.toHaveProperty("warnings");
  });

  it("hold → suppressed, also after a PUT and a healthy sweep; release → active", async () => {
    expect((await ask("POST", "/collections/c/hold")).body).toMatchObject({
      hold: true,
      status: "suppressed",
    });
    await ask("PUT", "/collections/c", { title: "C, renamed" });
    await world.sweep();
    expect((await ask("GET", "/collections/c")).body).toMatchObject({
      title: "C, renamed",
      status: "suppressed",
    });
    expect((await ask("POST", "/collections/c/release")).body).toMatchObject({
      hold: false,
      status: "active",
    });
  });

  it.each<[was: string, hours: number, told: string[]]>([
    ["suppressed", 0, []],
    ["deleted", 100, ["collection.suppressed"]],
  ])("restore of a %s one that is held → suppressed; told: $2", async (_was, hours, told) => {
    await suppress();
    await world.pass(hours * hourMs);
    await ask("POST", "/collections/c/hold");
    world.published.length = 0;
    expect((await ask("POST", "/collections/c/restore")).body).toMatchObject({ status: "suppressed" });
    expect(world.published.map(({ type }) => type)).toEqual(told);
  });

  it("restore → a deleted collection is active, and its next failure is the first", async () => {
    await suppress();
    await world.pass(100 * hourMs);
    expect((await ask("POST", "/collections/c/restore")).body).toMatchObject({
      status: "active",
      fate: { failures: 0 },
    });
    expect(world.published.at(-1)?.type).toBe("collection.activated");
    expect((await ask("POST", "/collections/c/restore")).status).toBe(200);
    expect(world.published.filter(({ type }) => type === "collection.activated")).toHaveLength(1);
    world.nowMs += hourMs;
    await world.sweep();
    expect((await ask("GET", "/collections/c")).body).toMatchObject({
      status: "suppressed",
      fate: { failures: 1 },
    });
  });

  it.each(["hold", "release", "restore"])("%s of an unknown one → 404", async (action) => {
    expect((await ask("POST", `/collections/nobody/${action}`)).status).toBe(404);
  });

  it("DELETE → gone, its records are there; again → 404", async () => {
    world.reply = () => "no answer";
    await world.sweep();
    expect((await ask("GET", "/collections/c")).body).toMatchObject({ fate: { inconclusives: 1 } });
    expect((await ask("DELETE", "/collections/c")).status).toBe(204);
    expect(await ask("GET", "/collections/c")).toMatchObject({
      status: 404,
      body: { error: "there is no collection c" },
    });
    expect((await ask("DELETE", "/collections/c")).status).toBe(404);
    expect((await ask("GET", "/records?collection=c")).body.records).toHaveLength(5);
    const asked = world.asked.length;
    await world.sweep();
    expect(world.asked).toHaveLength(asked);
    await ask("PUT", "/collections/c", { title: "C" });
    expect((await ask("GET", "/collections/c")).body).not.toHaveProperty("fate");
  });

  it.each<[was: string, prepare: () => Promise<unknown>]>([
    ["suppressed", suppress],
    ["suppressed", () => world.hold("c")],
    ["deleted", () => suppress().then(() => world.pass(100 * hourMs))],
  ])("DELETE of a %s one → 409, and it stays", async (was, prepare) => {
    await prepare();
    const { status, body } = await ask("DELETE", "/collections/c");
    expect([status, body.error]).toEqual([409, expect.stringContaining(`collection c is ${was}: `)]);
    expect((await ask("GET", "/collections/c")).body).toMatchObject({ status: was });
  });

  it("DELETE while a sweep is under way → its findings change nothing", async () => {
    world.reply = () => 404;
    await sweepCollections(world.now, world.ports);
    expect((await ask("DELETE", "/collections/c")).status).toBe(204);
    await world.settle();
    expect([world.asked.length, world.statusOf("c"), world.mails]).toEqual([4, "active", []]);
  });

  it.each(["statistics", "estimate"])("%s of an unknown one → 404, naming it", async (what) => {
    expect(await ask("GET", `/collections/nobody/${what}`)).toMatchObject({
      status: 404,
      body: { error: "there is no collection nobody" },
    });
  });

  it.each(["statistics", "estimate"])(
    "%s of one that is removed, or was never configured → as long as it has records",
    async (what) => {
      const before = await ask("GET", `/collections/c/${what}`);
      await ask("DELETE", "/collections/c");
      expect(await ask("GET", `/collections/c/${what}`)).toEqual(before);
      world.addRecord("nobody", 1);
      expect((await ask("GET", `/collections/nobody/${what}`)).status).toBe(200);
    },
  );

  it("statistics of one that nobody has configured, but whose links have changed → there", async () => {
    world.addRecord("nobody", 1);
    world.reply = () => 404;
    await world.open("nobody-001");
    const { status, body } = await ask("GET", "/collections/nobody/statistics");
    expect([status, body.days]).toMatchObject([200, [{ suppressed: { count: 1 } }]]);
  });

  it("statistics: the figures of each day", async () => {
    world.reply = () => 404;
    await world.open("c-001");
    const { body } = await ask("GET", "/collections/c/statistics?from=2026-11-20&to=2026-11-22");
    expect(body.days).toMatchObject([
      {
        day: "2026-11-20",
        collectionId: "c",
        suppressed: { count: 1, samples: [{ recordId: "c-001", url: "https://c.example/1" }] },
      },
    ]);
  });

  it.each([
    ["from=today", 400],
    ["from=2026-11-20&to=2026-11-19", 400],
    ["from=2026-01-01&to=2026-01-31", 200],
    ["from=2026-01-01&to=2026-02-01", 400],
    ["from=0001-01-01&to=9999-12-31", 400],
  ])("statistics?%s → %i", async (query, status) => {
    expect((await ask("GET", `/collections/c/statistics?${query}`)).status).toBe(status);
  });

  it("estimate: shares with their intervals, and the trend", async () => {
    await world.ports.samples.add({
      collectionId: "c",
      day: "2026-11-20",
      recordId: "c-001",
      verdict: "alive",
    });
    expect((await ask("GET", "/collections/c/estimate")).body).toMatchObject({
      now: { judged: 1, dead: 0, share: 0, low: 0 },
      before: { judged: 0, low: 0, high: 1 },
      trend: "unclear",
    });
  });
});

describe("the links of records", () => {
  it("checks: newest first, with verdict, reason and hops", async () => {
    world.reply = () => 404;
    await world.open("c-001");
    world.reply = () => [301, 200];
    await world.pass(hourMs);
    const { body } = await ask("GET", "/records/c-001/checks");
    expect(body.checks).toMatchObject([
      { verdict: "alive", reason: "answered 200", hops: [{ status: 301 }, { status: 200 }] },
      { verdict: "broken", reason: "answered 404" },
    ]);
  });

  it("checks of an unknown record → 404, naming it; of one never checked → none", async () => {
    expect(await ask("GET", "/records/nobody/checks")).toMatchObject({
      status: 404,
      body: { error: "there is no record nobody" },
    });
    expect((await ask("GET", "/records/c-001/checks")).body).toEqual({ recordId: "c-001", checks: [] });
  });

  it("restore → a deleted record is active, and counted; unknown → 404", async () => {
    world.reply = () => 404;
    await world.open("c-001");
    await world.pass(100 * hourMs);
    expect(world.linkStatusOf("c-001")).toBe("deleted");
    expect((await ask("POST", "/records/c-001/restore")).status).toBe(200);
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.counts()).toEqual({ suppressed: 1, deleted: 1, activated: 1 });
    expect((await ask("POST", "/records/nobody/restore")).status).toBe(404);
  });
});

describe("/rules/test", () => {
  it("202 with the place of the result; there 202 until it is done, then what hit", async () => {
    const posted = await ask("POST", "/rules/test", { url: "https://a.example/x", rule: { xpath: "//h1" } });
    expect([posted.status, posted.location]).toEqual([202, "/rules/tests/t1"]);
    expect((await ask("GET", "/rules/tests/t1")).status).toBe(202);
    const result = {
      verdict: "broken" as const,
      reason: "the page matches //h1",
      matchedText: "Gone",
      hops: [],
      parts: { statusCodes: { isHit: false, statuses: [] }, xpath: { isHit: true, matchedText: "Gone" } },
    };
    tests.set("t1", { ...(tests.get("t1") as RuleTest), result });
    const { status, body } = await ask("GET", "/rules/tests/t1");
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: "done", url: "https://a.example/x", ...result });
    expect((await ask("GET", "/rules/tests/t2")).status).toBe(404);
  });

  it("a bad rule → 400, naming the field", async () => {
    const { status, body } = await ask("POST", "/rules/test", {
      url: "https://a.example/x",
      rule: { xpath: "//p[" },
    });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^rule\.xpath: /);
  });
});

describe("a collection that is stored wrong", () => {
  beforeEach(() => {
    world.unusable.set("c", { collectionId: "c", problem: "rule.xpath: it ends too early", hold: true });
  });

  it.each([
    ["/records?collection=c", { collection: { status: "suppressed" }, records: [] }],
    ["/records/c-001", { link: { collectionStatus: "suppressed" } }],
    ["/suppressed-collections", { collections: [{ collectionId: "c", title: "c", status: "suppressed" }] }],
    ["/collections/c", { collectionId: "c", problem: "rule.xpath: it ends too early", status: "suppressed" }],
  ])("%s → answered by where it stands", async (path, expected) => {
    expect(await ask("GET", path)).toMatchObject({ status: 200, body: expected });
  });
});
