import { beforeEach, describe, expect, it } from "vitest";
import { sweepCollections } from "../../../shared/links/sweep/sweep-collections.ts";
import { hourMs, type LinkWorld } from "../links/link-world.ts";
import { LinkApi } from "./link-api.ts";

let api: LinkApi;
let world: LinkWorld;

beforeEach(async () => {
  api = await LinkApi.open();
  ({ world } = api);
});

const ask = (...request: Parameters<LinkApi["ask"]>) => api.ask(...request);
const suppress = () => api.suppress();

describe("/collections", () => {
  it("PUT → saved with its defaults; GET shows it, and the list", async () => {
    const put = await ask("PUT", "/collections/new", { title: "New", rule: { statusCodes: "301,4.." } });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ collectionId: "new", status: "active", recheckDelaysHours: [1, 8, 64] });
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

  it("PUT of what GET answered, after a removal → creates it again", async () => {
    const { body } = await ask("GET", "/collections/c");
    await ask("DELETE", "/collections/c");
    expect(await ask("PUT", "/collections/c", body)).toMatchObject({ status: 200, body });
  });

  it.each<[field: string, value: unknown]>([
    ["collectionId", "d"],
    ["hold", true],
    ["status", "deleted"],
    ["linkStatus", { status: "active" }],
  ])("PUT that would change %s → 400 that says what does; nothing is saved", async (field, value) => {
    const { body } = await ask("GET", "/collections/c");
    const { status, body: answer } = await ask("PUT", "/collections/c", {
      ...body,
      title: "New",
      [field]: value,
    });
    const says = new RegExp(`^${field}: a PUT does not change it \\(.+\\): omit it or leave it unchanged`);
    expect([status, answer.error]).toEqual([400, expect.stringMatching(says)]);
    expect((await ask("GET", "/collections/c")).body).toEqual(body);
  });

  it("PUT of a rule that names 200 → saved, with a warning that names field and value; GET has none", async () => {
    const body = { title: "C", rule: { statusCodes: "301,[0-9]{3}" } };
    expect((await ask("PUT", "/collections/c", body)).body).toMatchObject({
      ...body,
      warnings: ['rule.statusCodes: names 200, so healthy links are broken (got "301,[0-9]{3}")'],
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
    await world.advance(hours * hourMs);
    await ask("POST", "/collections/c/hold");
    world.published.length = 0;
    expect((await ask("POST", "/collections/c/restore")).body).toMatchObject({ status: "suppressed" });
    expect(world.published.map(({ type }) => type)).toEqual(told);
  });

  it("restore → a deleted collection is active, and its next failure is the first", async () => {
    await suppress();
    await world.advance(100 * hourMs);
    expect((await ask("POST", "/collections/c/restore")).body).toMatchObject({
      status: "active",
      linkStatus: { failures: 0 },
    });
    expect(world.published.at(-1)?.type).toBe("collection.activated");
    expect((await ask("POST", "/collections/c/restore")).status).toBe(200);
    expect(world.published.filter(({ type }) => type === "collection.activated")).toHaveLength(1);
    world.nowMs += hourMs;
    await world.sweep();
    expect((await ask("GET", "/collections/c")).body).toMatchObject({
      status: "suppressed",
      linkStatus: { failures: 1 },
    });
  });

  it.each(["hold", "release", "restore"])("%s of an unknown one → 404", async (action) => {
    expect((await ask("POST", `/collections/nobody/${action}`)).status).toBe(404);
  });

  it("DELETE → removed, its records stay; again → 404", async () => {
    world.reply = () => "no answer";
    await world.sweep();
    expect((await ask("GET", "/collections/c")).body).toMatchObject({ linkStatus: { inconclusives: 1 } });
    expect((await ask("DELETE", "/collections/c")).status).toBe(204);
    expect(await ask("GET", "/collections/c")).toMatchObject({
      status: 404,
      body: { error: "there is no collection c" },
    });
    expect((await ask("DELETE", "/collections/c")).status).toBe(404);
    expect((await ask("GET", "/records?collection=c")).body.records).toHaveLength(5);
    const asked = world.requested.length;
    await world.sweep();
    expect(world.requested).toHaveLength(asked);
    await ask("PUT", "/collections/c", { title: "C" });
    expect((await ask("GET", "/collections/c")).body).not.toHaveProperty("linkStatus");
  });

  it.each<[was: string, prepare: () => Promise<unknown>]>([
    ["suppressed", suppress],
    ["suppressed", () => world.hold("c")],
    ["deleted", () => suppress().then(() => world.advance(100 * hourMs))],
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
    expect([world.requested.length, world.statusOf("c"), world.mails]).toEqual([4, "active", []]);
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

  it("statistics of a collection that is not configured, but has changes → answered", async () => {
    world.addRecord("nobody", 1);
    world.reply = () => 404;
    await world.openRecord("nobody-001");
    const { status, body } = await ask("GET", "/collections/nobody/statistics");
    expect([status, body.days]).toMatchObject([200, [{ suppressed: { count: 1 } }]]);
  });

  it("statistics: the figures of each day", async () => {
    world.reply = () => 404;
    await world.openRecord("c-001");
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

describe("a stored collection that is not valid", () => {
  beforeEach(() => {
    world.unusable.set("c", { collectionId: "c", problem: "rule.xpath: unexpected end", hold: true });
  });

  it.each([
    ["/records?collection=c", { collection: { status: "suppressed" }, records: [] }],
    ["/records/c-001", { link: { collectionStatus: "suppressed" } }],
    ["/suppressed-collections", { collections: [{ collectionId: "c", title: "c", status: "suppressed" }] }],
    ["/collections/c", { collectionId: "c", problem: "rule.xpath: unexpected end", status: "suppressed" }],
  ])("%s → answered by where it stands", async (path, expected) => {
    expect(await ask("GET", path)).toMatchObject({ status: 200, body: expected });
  });
});
