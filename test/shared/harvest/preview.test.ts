import { beforeEach, describe, expect, it } from "vitest";
import { validateRun } from "../../../shared/deliver/validate/validate.ts";
import { readArticleResponse } from "../../../shared/harvest/article/read-article-response.ts";
import { readFeedResponse } from "../../../shared/harvest/rss/read-feed-response.ts";
import { startHarvest } from "../../../shared/harvest/start-harvest.ts";
import { buildRunId } from "../../../shared/records/runs/run.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import { feed, page, ReaderWorld, start } from "./reader-world.ts";

let world: ReaderWorld;
beforeEach(() => {
  world = new ReaderWorld();
});

describe("a preview", () => {
  const preview = { ...start, deliveryMode: "NONE" as const, sourceIds: ["off"], newest: 2 };
  const previewId = buildRunId(preview);

  beforeEach(async () => {
    world.addSource("off", { deliveryMode: "NONE" });
    await startHarvest(preview, world.ports());
  });

  const readThe = async (text: string) =>
    readFeedResponse(world.respond(world.requestOf("feed")[0] as NewRequest, text), world.ports());

  it("of a source of any mode → its feed is requested, and its status is not changed", () => {
    expect(world.sent.map(({ url }) => url)).toEqual(["https://off.example/feed"]);
    expect(world.memory.statuses.size).toBe(0);
  });

  it("a dated list → the newest by their dates; known ones too", async () => {
    world.memory.archived.set("url:off.example/3", {
      owner: "earlier",
      entryKey: "record:1",
      state: "automatic",
    });
    const dated = feed("/1", "/2", "/3").replace(
      /<title>T \/(\d)/g,
      "<pubDate>Fri, 0$1 May 2026 08:00:00 GMT</pubDate><title>T",
    );
    await readThe(dated);
    expect(world.requestOf("article").map(({ url }) => url)).toEqual([
      "https://off.example/3",
      "https://off.example/2",
    ]);
  });

  it.each([
    { given: "https://off.example/feed", channel: "Bees  &amp;\n Flowers", expected: "Bees & Flowers" },
    { given: "https://off.example/feed", channel: "", expected: "https://off.example/feed" },
    { given: "Bees: a journal", channel: "RSS", expected: "Bees: a journal" },
  ])("a source titled $given whose channel is titled $channel → reported as $expected", async (row) => {
    world.addSource("off", { deliveryMode: "NONE", title: row.given });
    await readThe(
      feed("/1").replace(/<channel>(?:<title>[^<]*<\/title>)?/, `<channel><title>${row.channel}</title>`),
    );
    const [outcome] = await world.memory.runs.sourceOutcomes(previewId);
    expect(outcome?.title).toBe(row.expected);
  });

  it("an undated list → its first ones", async () => {
    await readThe(feed("/1", "/2", "/3"));
    expect(world.requestOf("article").map(({ url }) => url)).toEqual([
      "https://off.example/1",
      "https://off.example/2",
    ]);
  });

  it("to its end → validated and over; no record, no event, nothing to upload", async () => {
    await readThe(feed("/1"));
    await readArticleResponse(
      world.respond(world.requestOf("article")[0] as NewRequest, page("One")),
      world.ports(),
    );
    expect(world.deliveries).toEqual([previewId]);
    const next: unknown[] = [];
    const { rules, refusedRecords } = world.memory;
    const stage = {
      ...world.ports(),
      rules,
      refusedRecords,
      next: { send: async (message: unknown) => void next.push(message) },
      partsQueue: { send: async () => {} },
    };
    await validateRun({ runId: previewId }, stage);
    await validateRun({ runId: previewId }, stage);
    expect(world.memory.documentOutcomesOf(previewId)).toMatchObject([
      {
        state: "converted",
        title: "One",
        page: { metadata: expect.arrayContaining([{ name: "citation_title", content: "One" }]) },
      },
    ]);
    expect(world.memory.runsById.get(previewId)?.state).toBe("finished");
    expect([world.memory.recordsById.size, world.memory.published, next, world.memory.archived.size]).toEqual(
      [0, [], [], 0],
    );
  });
});
