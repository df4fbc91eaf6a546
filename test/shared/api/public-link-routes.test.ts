import { beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../../shared/core/errors.ts";
import { recordSubject } from "../../../shared/links/routes/record-routes.ts";
import { bestEffort } from "../../../shared/runtime/best-effort.ts";
import { hourMs, type LinkWorld } from "../links/link-world.ts";
import type { MemoryPorts } from "../memory-ports.ts";
import { LinkApi } from "./link-api.ts";
import { serve } from "./serve.ts";

let api: LinkApi;
let world: LinkWorld;
let memory: MemoryPorts;

beforeEach(async () => {
  api = await LinkApi.open();
  ({ world, memory } = api);
});

const request = (...request: Parameters<LinkApi["request"]>) => api.request(...request);
const suppress = () => api.suppress();

describe("GET /records?collection=", () => {
  it("the active records, newest first, page by page", async () => {
    world.reply = (url) => (url.endsWith("/4") ? 404 : 200);
    await world.openRecord("c-004");
    const first = await request("GET", "/records?collection=c&limit=3");
    const second = await request("GET", `/records?collection=c&limit=3&after=${first.body.next}`);
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
    const { status, body } = await request("GET", "/records?collection=c");
    expect(status).toBe(200);
    expect(body).toEqual({ collection: { collectionId: "c", status: "suppressed" }, records: [] });
  });

  it("a made-up `next` of a suppressed collection → 400, as with any other", async () => {
    await suppress();
    const { status, body } = await request("GET", "/records?collection=c&after=made-up");
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^after: .*"made-up"/)]);
  });

  it("a deleted collection → none", async () => {
    await suppress();
    await world.advance(100 * hourMs);
    const { body } = await request("GET", "/records?collection=c");
    expect(body).toEqual({ collection: { collectionId: "c", status: "deleted" }, records: [] });
  });

  it.each([
    ["", "collection"],
    ["?collection=c&limit=0", "limit"],
    ["?collection=c&limit=many", "limit"],
    ["?collection=c&limit=1e2", "limit"],
    ["?collection=c&after=made-up", "after"],
    ["?collection=nobody&after=", "after"],
  ])("%s → 400, naming %s", async (query, field) => {
    const { status, body } = await request("GET", `/records${query}`);
    expect(status).toBe(400);
    expect(body.detail).toMatch(new RegExp(`^${field}: `));
  });
});

describe("GET /records?state=", () => {
  const listed = ({ body }: { body: Record<string, unknown> }) =>
    (body.records as { recordId: string }[]).map(({ recordId }) => recordId);

  beforeEach(async () => {
    world.addCollection({ collectionId: "d", title: "D" }, 1);
    world.reply = () => 404;
    await world.openRecord("c-002");
    world.nowMs += 60_000;
    await world.openRecord("d-001");
    world.nowMs += 60_000;
    await world.openRecord("c-004");
  });

  it("suppressed → those of all collections, with why and the next attempt, page by page", async () => {
    const first = await request("GET", "/records?state=suppressed&limit=2");
    const second = await request("GET", `/records?state=suppressed&limit=2&after=${first.body.next}`);
    expect([listed(first), listed(second)]).toEqual([["c-002", "d-001"], ["c-004"]]);
    expect(second.body).not.toHaveProperty("next");
    expect(first.body).not.toHaveProperty("collection");
    expect((first.body.records as unknown[])[0]).toEqual({
      recordId: "c-002",
      collectionId: "c",
      title: "c-002",
      landingUrl: "https://c.example/2",
      syndicatedAt: expect.any(String),
      link: {
        status: "suppressed",
        since: "2026-11-20T08:00:00.000Z",
        reason: "answered 404",
        nextAttemptAt: "2026-11-20T09:00:00.000Z",
      },
    });
  });

  it("of one collection → its own", async () => {
    expect(listed(await request("GET", "/records?state=suppressed&collection=d"))).toEqual(["d-001"]);
  });

  it("deleted → those, last first, without a next attempt; no more among the suppressed", async () => {
    expect(listed(await request("GET", "/records?state=deleted"))).toEqual([]);
    await world.advance(100 * hourMs);
    const deleted = await request("GET", "/records?state=deleted");
    expect(listed(deleted)).toEqual(["c-004", "d-001", "c-002"]);
    expect((deleted.body.records as { link: object }[])[0]?.link).toEqual({
      status: "deleted",
      since: expect.any(String),
      reason: "answered 404",
    });
    expect(listed(await request("GET", "/records?state=suppressed"))).toEqual([]);
  });

  it.each([
    ["?state=active", "state"],
    ["?state=gone", "state"],
    ["?state=deleted&after=made-up", "after"],
    ["?state=deleted&limit=0", "limit"],
  ])("%s → 400, naming %s", async (query, field) => {
    const { status, body } = await request("GET", `/records${query}`);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))]);
  });

  it("the `next` of the other status → 400", async () => {
    const { body } = await request("GET", "/records?state=suppressed&limit=1");
    expect((await request("GET", `/records?state=deleted&after=${body.next}`)).status).toBe(400);
  });
});

describe("GET /records/{id}", () => {
  it("its collection suppressed → 200, with both states", async () => {
    await suppress();
    const { status, body } = await request("GET", "/records/c-001");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      recordId: "c-001",
      link: { status: "active", collectionStatus: "suppressed" },
    });
  });

  it.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["text/html,application/xml;q=0.9,*/*;q=0.8", "application/xml; charset=utf-8"],
    ["application/marcxml+xml", "application/marcxml+xml; charset=utf-8"],
    ["application/marc", "application/marc"],
    ["application/marc+json", "application/marc+json"],
    ["text/plain;q=0.5, application/marc;q=0.1", "text/plain; charset=utf-8"],
    ["application/json;q=0, */*;q=0.1", "application/marcxml+xml; charset=utf-8"],
  ])("Accept: %s → %s", async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const answer = await request("GET", "/records/c-001", undefined, headers);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(answer.headers.get("vary")).toBe("Accept");
  });

  it.each(["text/html", "image/*", "application/json;q=0", "nonsense"])(
    "Accept: %s → 406",
    async (accept) => {
      const { status, body } = await request("GET", "/records/c-001", undefined, { accept });
      expect([status, body]).toMatchObject([406, { field: "Accept", value: accept }]);
    },
  );

  it("internal fields → not answered", async () => {
    const deliveryMode = "LIVE" as const;
    await memory.records.resetDelivered({ recordId: "c-001", deliveryMode });
    const details = { findings: ["why"], deliveryFile: "f.xml" };
    await memory.records.setState({ recordId: "c-001", deliveryMode }, "delivered", details);
    const { body } = await request("GET", "/records/c-001");
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
    expect((await request("GET", "/records/nobody")).status).toBe(404);
  });
});

describe("GET /records/{id}/source", () => {
  it.each([
    ["the queue takes nothing", "requests", "send"],
    ["its collection is stored wrong", "collections", "get"],
  ] as const)("%s → redirected all the same", async (_title, port, method) => {
    const fail = () => Promise.reject(new ConfigError("out of order"));
    Object.assign(world.ports, { [port]: { ...world.ports[port], [method]: fail } });
    expect(await request("GET", "/records/c-001/source")).toMatchObject({
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
    expect((await request("GET", "/records/c-001/source")).location).toBe(expected);
  });

  it("302 to its page at once, and one check, however often it is opened", async () => {
    for (let times = 0; times < 3; times += 1) {
      const { status, location } = await request("GET", "/records/c-001/source");
      expect([status, location]).toEqual([302, "https://c.example/1"]);
    }
    await world.settle();
    expect(world.requested.map(({ url }) => url)).toEqual(["https://c.example/1"]);
  });

  it("as JSON → 202, then 200, then 429 with the last known status and when to try again", async () => {
    world.ports.hourlyShare = 1;
    const asJson = (id: string) =>
      request("GET", `/records/${id}/source`, undefined, { accept: "application/json" });
    expect(await asJson("c-001")).toMatchObject({
      status: 202,
      body: { status: "requested", result: "/records/c-001", link: { status: "active" } },
    });
    await world.settle();
    const judgedAt = world.now.toISOString();
    expect(await asJson("c-001")).toMatchObject({
      status: 200,
      body: { status: "recent", link: { judgedAt, status: "active", verdict: "alive" } },
    });
    const over = await asJson("c-002");
    expect(over).toMatchObject({
      status: 429,
      body: {
        detail: expect.stringContaining("the hourly limit of checks"),
        link: { recordId: "c-002", landingUrl: "https://c.example/2", status: "active" },
      },
    });
    expect(over.body.link).not.toHaveProperty("judgedAt");
    expect(Number(over.headers.get("retry-after"))).toBe(3600);
    expect(await request("GET", "/records/c-002/source")).toMatchObject({ status: 302 });
  });

  it.each<[string, string]>([
    ["c-009", "there is no record c-009"],
    ["c-007", "record c-007 has no landing URL"],
    ["c-008", "record c-008 has no landing URL"],
  ])("%s → 404: %s", async (id, reason) => {
    world.addRecord("c", 7, { landingUrl: "" });
    world.addRecord("c", 8, { landingUrl: "javascript:alert(1)" });
    const { status, body } = await request("GET", `/records/${id}/source`);
    expect([status, body.detail]).toEqual([404, reason]);
  });
});

describe("GET /suppressed-collections", () => {
  it("suppressed and held ones, and no others", async () => {
    await suppress();
    world.addCollection({ collectionId: "d", title: "D", hold: true });
    world.addCollection({ collectionId: "e", title: "E" });
    expect((await request("GET", "/suppressed-collections")).body).toEqual({
      collections: [
        { collectionId: "c", title: "C", status: "suppressed" },
        { collectionId: "d", title: "D", status: "suppressed" },
      ],
    });
  });
});

describe("GET /suppressed-collections, repeatedly", () => {
  const path = "/suppressed-collections";

  it("cacheable for half a minute; unchanged → 304; collections are read once in that time", async () => {
    const app = serve([recordSubject], {
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
