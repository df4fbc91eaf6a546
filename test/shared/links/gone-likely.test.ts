import { beforeEach, describe, expect, it } from "vitest";
import { hourMs, LinkWorld } from "./link-world.ts";

const softPage = { page: "<title>Page not found | Press</title><h1>Page not found</h1>" };
const wall = { page: "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>" };

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
  world.addCollection({ collectionId: "c", title: "C" }, 10);
});

describe("a record whose page says with 200 that it is gone", () => {
  it("seen once → still active; again a day later → suppressed", async () => {
    world.reply = (url) => (url.endsWith("/5") ? softPage : 200);
    await world.openRecord("c-005");
    expect(world.linkStatusOf("c-005")).toBe("active");
    expect([...world.checks.values()]).toMatchObject([
      { verdict: "inconclusive", finding: "gone-likely", sign: "title-gone" },
    ]);
    await world.advance(23 * hourMs);
    expect(world.linkStatusOf("c-005")).toBe("active");
    await world.advance(hourMs);
    expect(world.linkStatusOf("c-005")).toBe("suppressed");
    expect(world.counts()).toMatchObject({ suppressed: 1 });
  });

  it("seen again by readers within the day → still active", async () => {
    world.reply = () => softPage;
    await world.openRecord("c-005");
    for (let hours = 0; hours < 21; hours += 7) {
      await world.advance(7 * hourMs);
      await world.openRecord("c-005");
    }
    expect(world.linkStatusOf("c-005")).toBe("active");
  });

  it("alive meanwhile → the next sign is the first again", async () => {
    world.reply = () => softPage;
    await world.openRecord("c-005");
    world.reply = () => 200;
    await world.advance(24 * hourMs);
    expect(world.records.get("c-005")?.link).not.toHaveProperty("goneLikelySince");
    world.reply = () => softPage;
    world.nowMs += 7 * hourMs;
    await world.openRecord("c-005");
    expect(world.linkStatusOf("c-005")).toBe("active");
  });

  it("a wall meanwhile, for months → the next sign is the first again", async () => {
    world.reply = () => softPage;
    await world.openRecord("c-005");
    world.reply = () => wall;
    await world.advance(24 * hourMs);
    expect(world.records.get("c-005")?.link).not.toHaveProperty("goneLikelySince");
    world.reply = () => softPage;
    world.nowMs += 90 * 24 * hourMs;
    await world.openRecord("c-005");
    expect(world.linkStatusOf("c-005")).toBe("active");
  });

  it("404 meanwhile → suppressed at once", async () => {
    world.reply = () => softPage;
    await world.openRecord("c-005");
    world.reply = () => 404;
    world.nowMs += 7 * hourMs;
    await world.openRecord("c-005");
    expect(world.linkStatusOf("c-005")).toBe("suppressed");
  });

  it("suppressed, then such a page for weeks → deleted, but no sooner than a day after each sign", async () => {
    world.reply = () => 404;
    await world.openRecord("c-005");
    world.reply = () => softPage;
    await world.advance(3 * 24 * hourMs);
    expect(world.linkStatusOf("c-005")).toBe("suppressed");
    await world.advance(30 * 24 * hourMs);
    expect(world.linkStatusOf("c-005")).toBe("deleted");
  });

  it("a rule that matches the page → suppressed at once", async () => {
    world.addCollection({ collectionId: "c", title: "C", rule: { xpath: "//h1[.='Page not found']" } }, 0);
    world.reply = () => softPage;
    await world.openRecord("c-005");
    expect(world.linkStatusOf("c-005")).toBe("suppressed");
  });
});

describe("a collection whose sampled pages say that they are gone", () => {
  it.each([
    ["all by signs", () => softPage],
    ["one by a 404", (url: string) => (url.endsWith("/1") ? 404 : softPage)],
  ])("%s → suppressed a day later, with the pages in the mail", async (_title, reply) => {
    world.reply = reply;
    for (let hours = 0; hours < 24; hours += 2) {
      await world.sweep();
      expect(world.statusOf("c"), `after ${hours} h`).toBe("active");
      await world.advance(2 * hourMs);
    }
    await world.sweep();
    expect(world.statusOf("c")).toBe("suppressed");
    expect(world.mails[0]?.text).toContain("    page: Page not found | Press – Page not found\n");
  });

  it("one that is alive → stays active", async () => {
    world.reply = (url) => (url.endsWith("/1") ? 200 : softPage);
    for (let hours = 0; hours < 50; hours += 2) {
      await world.sweep();
      await world.advance(2 * hourMs);
    }
    expect(world.statusOf("c")).toBe("active");
  });
});

it("a wall that answers 200 → no evidence: a dead record is not restored, a living one not suppressed", async () => {
  world.reply = (url) => (url.endsWith("/5") ? 404 : 200);
  await world.openRecord("c-005");
  world.reply = () => wall;
  for (let hours = 0; hours < 100; hours += 2) {
    await world.sweep();
    await world.advance(2 * hourMs);
  }
  await world.openRecord("c-006");
  expect(world.records.get("c-005")?.link).toMatchObject({ status: "suppressed", failures: 1 });
  expect([world.statusOf("c"), world.linkStatusOf("c-006")]).toEqual(["active", "active"]);
  expect(world.counts()).toMatchObject({ suppressed: 1, refused: expect.any(Number) });
  expect([...world.checks.values()].at(-1)).toMatchObject({ finding: "wall", sign: "cloudflare-page" });
});
