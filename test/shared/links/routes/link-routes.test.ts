import { beforeEach, describe, expect, it } from "vitest";
import type { RuleTest } from "../../../../shared/links/rule-test/rule-test.ts";
import { LinkApi } from "../../api/link-api.ts";
import { hourMs, type LinkWorld } from "../link-world.ts";

let api: LinkApi;
let world: LinkWorld;
let tests: Map<string, RuleTest>;

beforeEach(async () => {
  api = await LinkApi.open();
  ({ world, tests } = api);
});

const request = (...request: Parameters<LinkApi["request"]>) => api.request(...request);

describe("the links of records", () => {
  it("checks: newest first, with verdict, reason and hops", async () => {
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.reply = () => [301, 200];
    await world.advance(hourMs);
    const { body } = await request("GET", "/records/c-001/checks");
    expect(body.checks).toMatchObject([
      { verdict: "alive", reason: "answered 200", hops: [{ status: 301 }, { status: 200 }] },
      { verdict: "broken", reason: "answered 404" },
    ]);
  });

  it("checks of an unknown record → 404, naming it; of one never checked → none", async () => {
    expect(await request("GET", "/records/nobody/checks")).toMatchObject({
      status: 404,
      body: expect.objectContaining({ detail: "there is no record nobody" }),
    });
    expect((await request("GET", "/records/c-001/checks")).body).toEqual({ recordId: "c-001", checks: [] });
  });

  it("restore → a deleted record is active, and counted; unknown → 404", async () => {
    world.reply = () => 404;
    await world.openRecord("c-001");
    await world.advance(100 * hourMs);
    expect(world.linkStatusOf("c-001")).toBe("deleted");
    expect((await request("POST", "/records/c-001/restore")).status).toBe(200);
    expect(world.linkStatusOf("c-001")).toBe("active");
    expect(world.counts()).toEqual({ suppressed: 1, deleted: 1, activated: 1 });
    expect((await request("POST", "/records/nobody/restore")).status).toBe(404);
  });
});

describe("/rules/test", () => {
  it("202 with the path of the result; there 202 until it is done, then the hits", async () => {
    const posted = await request("POST", "/rules/test", {
      url: "https://a.example/x",
      rule: { xpath: "//h1" },
    });
    expect([posted.status, posted.location]).toEqual([202, "/rules/tests/t1"]);
    expect((await request("GET", "/rules/tests/t1")).status).toBe(202);
    const result = {
      verdict: "broken" as const,
      finding: "gone" as const,
      reason: "the page matches //h1",
      matchedText: "Gone",
      hops: [],
      parts: {
        statusCodes: { isHit: false, statuses: [] },
        finalUrl: { isHit: false },
        xpath: { isHit: true, matchedText: "Gone" },
      },
    };
    tests.set("t1", { ...(tests.get("t1") as RuleTest), result });
    const { status, body } = await request("GET", "/rules/tests/t1");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "done", url: "https://a.example/x", ...result });
    expect((await request("GET", "/rules/tests/t2")).status).toBe(404);
  });

  it("a bad rule → 400, naming the field", async () => {
    const { status, body } = await request("POST", "/rules/test", {
      url: "https://a.example/x",
      rule: { xpath: "//p[" },
    });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/^rule\.xpath: /);
  });
});
