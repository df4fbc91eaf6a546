import { beforeEach, describe, expect, it } from "vitest";
import { sweepCollections } from "../../../../shared/links/sweep/sweep-collections.ts";
import { pages } from "../../../../shared/operations/pages/pages.ts";
import { LinkApi } from "../../api/link-api.ts";
import { hourMs, type LinkWorld } from "../link-world.ts";

/** The paths of the pages of the console, as patterns. */
const consolePaths = pages
  .filter(({ method }) => method === "GET")
  .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));

let api: LinkApi;
let world: LinkWorld;

beforeEach(async () => {
  api = await LinkApi.open();
  ({ world } = api);
});

const request = (...request: Parameters<LinkApi["request"]>) => api.request(...request);
const suppress = () => api.suppress();

describe("the mail about a collection", () => {
  it.each<[status: string, prepare: () => Promise<unknown>]>([
    ["suppressed", suppress],
    ["held", () => world.hold("c")],
    [
      "active again",
      async () => {
        await suppress();
        world.reply = () => 200;
        await world.advance(2 * hourMs);
      },
    ],
  ])(
    "%s → each request that it names works as it stands, each address is a page",
    async (_status, prepare) => {
      await prepare();
      const { text = "" } = world.mails.at(-1) ?? {};
      for (const [, address = ""] of text.matchAll(/https:\/\/api\.example(\/console\S*)/g))
        expect(
          consolePaths.some((path) => path.test(address)),
          address,
        ).toBe(true);
      const named = [...text.matchAll(/^ {2}(POST|GET) (\/\S+)( \{.*\})?/gm)];
      expect(named.length).toBeGreaterThan(1);
      for (const [, method = "", path = "", body] of named) {
        const { status } = await request(method, path, ...(body === undefined ? [] : [JSON.parse(body)]));
        expect(status, `${method} ${path}`).toBe(200);
      }
    },
  );
});

describe("/collections", () => {
  it("PUT → saved with its defaults; GET shows it, and the list", async () => {
    const put = await request("PUT", "/collections/new", { title: "New", rule: { statusCodes: "301,4.." } });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ collectionId: "new", status: "active", recheckDelaysHours: [1, 8, 64] });
    expect((await request("GET", "/collections/new")).body).toEqual(put.body);
    expect((await request("GET", "/collections")).body.collections).toHaveLength(2);
  });

  it.each([
    ["", ["a", "b", "c", "x"]],
    ["limit=2", ["a", "b"]],
    ["limit=2&after=b", ["c", "x"]],
    ["q=KEPT%20by", ["b"]],
    ["q=nothing", []],
    ["state=suppressed", ["c"]],
    ["state=held", ["b"]],
    ["state=held&after=b", []],
    ["state=active", ["a"]],
    ["state=deleted", []],
    ["state=invalid", ["x"]],
  ])("GET ?%s → the collections that it leaves", async (query, expected) => {
    await suppress();
    world.addCollection({ collectionId: "a", title: "Another" });
    world.addCollection({ collectionId: "b", title: "Kept by hand" });
    world.addCollection({ collectionId: "x", title: "X" });
    world.unusable.set("x", { collectionId: "x", problem: "title: missing", hold: false });
    await world.hold("b");
    const { body } = await request("GET", `/collections?${query}`);
    const ids = ["collections", "unusable"].flatMap((name) =>
      (body[name] as { collectionId: string }[]).map(({ collectionId }) => collectionId),
    );
    expect(ids).toEqual(expected);
    expect(body.next).toBe(query === "limit=2" ? "b" : undefined);
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
    const { status, body: answer } = await request("PUT", "/collections/new", body);
    expect(status).toBe(400);
    expect(answer.detail).toMatch(new RegExp(`^${field.replaceAll(".", "\\.")}: `));
    // It was not sent.
    expect(answer.detail).not.toContain("collectionId");
    expect((await request("GET", "/collections/new")).status).toBe(404);
  });

  it.each<[status: string, prepare: () => Promise<unknown>]>([
    ["active", async () => {}],
    ["suppressed", suppress],
    ["held", () => world.hold("c")],
    ["checked without a finding", () => world.sweep()],
  ])(
    "PUT of what GET answered, %s → unchanged; with one field changed → that field",
    async (_status, prepare) => {
      await prepare();
      const before = (await request("GET", "/collections/c")).body;
      expect(await request("PUT", "/collections/c", before)).toMatchObject({ status: 200, body: before });
      const changed = { ...before, inconclusiveLimit: 7 };
      expect(await request("PUT", "/collections/c", changed)).toMatchObject({ status: 200, body: changed });
      expect((await request("GET", "/collections/c")).body).toEqual(changed);
    },
  );

  it("PUT of what GET answered, after a removal → creates it again", async () => {
    const { body } = await request("GET", "/collections/c");
    await request("DELETE", "/collections/c");
    expect(await request("PUT", "/collections/c", body)).toMatchObject({ status: 200, body });
  });

  it.each<[field: string, value: unknown]>([
    ["collectionId", "d"],
    ["hold", true],
    ["status", "deleted"],
    ["linkStatus", { status: "active" }],
  ])("PUT that changes %s → 400 that says what changes it; nothing is saved", async (field, value) => {
    const { body } = await request("GET", "/collections/c");
    const { status, body: answer } = await request("PUT", "/collections/c", {
      ...body,
      title: "New",
      [field]: value,
    });
    const says = new RegExp(`^${field}: a PUT does not change it \\(.+\\): omit it or leave it unchanged`);
    expect([status, answer.detail]).toEqual([400, expect.stringMatching(says)]);
    expect((await request("GET", "/collections/c")).body).toEqual(body);
  });

  it("PUT of a rule that names 200 → saved, with a warning that names field and value; GET has none", async () => {
    const body = { title: "C", rule: { statusCodes: "301,[0-9]{3}" } };
    expect((await request("PUT", "/collections/c", body)).body).toMatchObject({
      ...body,
      warnings: ['rule.statusCodes: names 200, so healthy links are broken (got "301,[0-9]{3}")'],
    });
    expect((await request("GET", "/collections/c")).body).not.toHaveProperty("warnings");
  });

  it("hold → suppressed, also after a PUT and a healthy sweep; release → active", async () => {
    expect(
      (await request("POST", "/collections/c/hold", { reason: "the publisher moves" })).body,
    ).toMatchObject({
      hold: true,
      status: "suppressed",
    });
    await request("PUT", "/collections/c", { title: "C, renamed" });
    await world.sweep();
    expect((await request("GET", "/collections/c")).body).toMatchObject({
      title: "C, renamed",
      status: "suppressed",
    });
    expect(
      (await request("POST", "/collections/c/release", { reason: "the publisher moves" })).body,
    ).toMatchObject({
      hold: false,
      status: "active",
    });
  });

  it.each<[was: string, hours: number, events: string[]]>([
    ["suppressed", 0, []],
    ["deleted", 100, ["collection.suppressed"]],
  ])("restore of a %s collection that is held → suppressed; events: $2", async (_was, hours, events) => {
    await suppress();
    await world.advance(hours * hourMs);
    await request("POST", "/collections/c/hold", { reason: "the publisher moves" });
    world.published.length = 0;
    expect(
      (await request("POST", "/collections/c/restore", { reason: "the publisher moves" })).body,
    ).toMatchObject({ status: "suppressed" });
    expect(world.published.map(({ type }) => type)).toEqual(events);
  });

  it("restore → a deleted collection is active, and its next failure is the first", async () => {
    await suppress();
    await world.advance(100 * hourMs);
    expect(
      (await request("POST", "/collections/c/restore", { reason: "the publisher moves" })).body,
    ).toMatchObject({
      status: "active",
      linkStatus: { failures: 0 },
    });
    expect(world.published.at(-1)?.type).toBe("collection.activated");
    expect((await request("POST", "/collections/c/restore", { reason: "the publisher moves" })).status).toBe(
      200,
    );
    expect(world.published.filter(({ type }) => type === "collection.activated")).toHaveLength(1);
    world.nowMs += hourMs;
    await world.sweep();
    expect((await request("GET", "/collections/c")).body).toMatchObject({
      status: "suppressed",
      linkStatus: { failures: 1 },
    });
  });

  it.each(["hold", "release", "restore"])("%s of an unknown one → 404", async (action) => {
    const decision = { reason: "the publisher moves" };
    expect((await request("POST", `/collections/nobody/${action}`, decision)).status).toBe(404);
  });

  it.each([undefined, {}])("restore with the body %j → active, by whom is stored", async (body) => {
    await suppress();
    expect((await request("POST", "/collections/c/restore", body)).body).toMatchObject({ status: "active" });
    expect((await world.ports.collections.linkStatus("c"))?.reason).toMatch(/^restored by \S+$/);
  });

  it.each(["hold", "release"])("%s without a reason → refused, and nothing changes", async (action) => {
    for (const body of [{}, { reason: " " }]) {
      expect(await request("POST", `/collections/c/${action}`, body)).toMatchObject({
        status: 400,
        body: { field: "reason" },
      });
    }
    expect((await request("GET", "/collections/c")).body).toMatchObject({ hold: false });
  });

  it("DELETE → removed, its records stay; again → 404", async () => {
    world.reply = () => "no answer";
    await world.sweep();
    expect((await request("GET", "/collections/c")).body).toMatchObject({ linkStatus: { inconclusives: 1 } });
    expect((await request("DELETE", "/collections/c")).status).toBe(204);
    expect(await request("GET", "/collections/c")).toMatchObject({
      status: 404,
      body: expect.objectContaining({ detail: "there is no collection c" }),
    });
    expect((await request("DELETE", "/collections/c")).status).toBe(404);
    expect((await request("GET", "/records?collection=c")).body.records).toHaveLength(5);
    const asked = world.requested.length;
    await world.sweep();
    expect(world.requested).toHaveLength(asked);
    await request("PUT", "/collections/c", { title: "C" });
    expect((await request("GET", "/collections/c")).body).not.toHaveProperty("linkStatus");
  });

  it.each<[was: string, prepare: () => Promise<unknown>]>([
    ["suppressed", suppress],
    ["suppressed", () => world.hold("c")],
    ["deleted", () => suppress().then(() => world.advance(100 * hourMs))],
  ])("DELETE of a %s one → 409, and it stays", async (was, prepare) => {
    await prepare();
    const { status, body } = await request("DELETE", "/collections/c");
    expect([status, body.detail]).toEqual([409, expect.stringContaining(`collection c is ${was}: `)]);
    expect((await request("GET", "/collections/c")).body).toMatchObject({ status: was });
  });

  it("DELETE while a sweep is in progress → its findings change nothing", async () => {
    world.reply = () => 404;
    await sweepCollections(world.now, world.ports);
    expect((await request("DELETE", "/collections/c")).status).toBe(204);
    await world.settle();
    expect([world.requested.length, world.statusOf("c"), world.mails]).toEqual([4, "active", []]);
  });

  it.each(["statistics", "estimate"])("%s of an unknown one → 404, naming it", async (what) => {
    expect(await request("GET", `/collections/nobody/${what}`)).toMatchObject({
      status: 404,
      body: expect.objectContaining({ detail: "there is no collection nobody" }),
    });
  });

  it.each(["statistics", "estimate"])(
    "%s of one that is removed, or was never configured → as long as it has records",
    async (what) => {
      const before = await request("GET", `/collections/c/${what}`);
      await request("DELETE", "/collections/c");
      expect(await request("GET", `/collections/c/${what}`)).toEqual(before);
      world.addRecord("nobody", 1);
      expect((await request("GET", `/collections/nobody/${what}`)).status).toBe(200);
    },
  );

  it("statistics of a collection that is not configured, but has changes → answered", async () => {
    world.addRecord("nobody", 1);
    world.reply = () => 404;
    await world.openRecord("nobody-001");
    const { status, body } = await request("GET", "/collections/nobody/statistics");
    expect([status, body.days]).toMatchObject([200, [{ suppressed: { count: 1 } }]]);
  });

  it("statistics: the figures of each day", async () => {
    world.reply = () => 404;
    await world.openRecord("c-001");
    const { body } = await request("GET", "/collections/c/statistics?from=2026-11-20&to=2026-11-22");
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
    expect((await request("GET", `/collections/c/statistics?${query}`)).status).toBe(status);
  });

  it("estimate: shares with their intervals, and the trend", async () => {
    await world.ports.samples.add({
      collectionId: "c",
      day: "2026-11-20",
      recordId: "c-001",
      verdict: "alive",
    });
    expect((await request("GET", "/collections/c/estimate")).body).toMatchObject({
      now: { judged: 1, dead: 0, share: 0, low: 0 },
      before: { judged: 0, low: 0, high: 1 },
      trend: "unclear",
    });
  });

  it("estimate with a series → one share per week, of the fourteen days up to it, oldest first", async () => {
    for (const [day, verdict] of [
      ["2026-11-20", "alive"],
      ["2026-11-06", "broken"],
      ["2026-10-23", "broken"],
    ] as const)
      await world.ports.samples.add({ collectionId: "c", day, recordId: `c-${day}`, verdict });
    const { series } = (await request("GET", "/collections/c/estimate?weeks=4")).body;
    expect(series).toMatchObject([
      { from: "2026-10-17", to: "2026-10-30", judged: 1, dead: 1 },
      { to: "2026-11-06", judged: 1, dead: 1 },
      { to: "2026-11-13", judged: 1, dead: 1 },
      { from: "2026-11-07", to: "2026-11-20", judged: 1, dead: 0, share: 0 },
    ]);
    expect((await request("GET", "/collections/c/estimate?weeks=16")).status).toBe(400);
  });
});

describe("a stored collection that is not valid", () => {
  beforeEach(() => {
    world.unusable.set("c", { collectionId: "c", problem: "rule.xpath: unexpected end", hold: true });
  });

  it.each([
    ["/records?collection=c", { collection: { status: "suppressed" }, records: [] }],
    ["/records/c-001", { link: { collectionStatus: "suppressed" } }],
    ["/suppressed-collections", { collections: [{ collectionId: "c", title: "c", status: "suppressed" }] }],
    ["/collections/c", { collectionId: "c", problem: "rule.xpath: unexpected end", status: "suppressed" }],
  ])("%s → answered", async (path, expected) => {
    expect(await request("GET", path)).toMatchObject({ status: 200, body: expected });
  });
});
