import { describe, expect, it } from "vitest";
import type { ConvertedDocument } from "../../../../shared/records/runs/run.ts";
import { type Site, worldOf } from "./site-world.ts";

/** A feed entry of 2026 for a page of 2014. */
const site: Site = {
  "/feed": {
    body: `<rss version="2.0"><channel><title>F</title><item><title>On bees</title><link>SITE/1</link>
      <pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>`,
    contentType: "application/rss+xml",
  },
  "/1": `<meta name="citation_title" content="On bees"><meta name="citation_author" content="Pell, Ottoline">
    <meta name="citation_volume" content="12"><meta name="citation_date" content="2014">`,
};

async function harvestOf(group: object = {}, source: object = {}) {
  const { world, add } = await worldOf({ site });
  world.memory.addGroup("Test", group);
  add({ url: "/feed", ...source });
  const { documents } = await world.harvest();
  const [document] = documents as ConvertedDocument[];
  const record = world.memory.recordsById.get(document?.recordId ?? "");
  return { document, record };
}

const finding = { ruleId: "witnesses-disagree", tag: "264", reason: "year 2014: page; feed: 2026" };

describe("a page of 2014 whose feed says 2026", () => {
  it("→ told, with the origin of each field in the record", async () => {
    const { document, record } = await harvestOf();
    expect(document?.originFindings).toEqual([finding]);
    expect(document?.warnings).toContain("year 2014: page; feed: 2026 [witnesses-disagree]");
    expect(document?.provenance).toBeUndefined();
    expect(record?.provenance).toEqual(
      expect.arrayContaining([
        {
          field: "title",
          value: "On bees",
          witness: "page",
          others: [{ witness: "feed", value: "On bees" }],
        },
        {
          field: "year",
          value: "2014",
          witness: "page",
          others: [{ witness: "feed", value: "2026" }],
          disagrees: true,
        },
      ]),
    );
  });

  it.each<[string, object, object, boolean]>([
    ["a group that holds such records", { heldFindings: ["witnesses-disagree"] }, {}, true],
    ["a source that holds such records", {}, { heldFindings: ["witnesses-disagree"] }, true],
    [
      "a group that does, and a source that does not",
      { heldFindings: ["witnesses-disagree"] },
      { heldFindings: [] },
      false,
    ],
    ["a group that holds others", { heldFindings: ["article-retracted"] }, {}, false],
  ])("%s → held: %s", async (_what, group, source, isHeld) => {
    const { document } = await harvestOf(group, source);
    expect(document?.originFindings).toEqual([isHeld ? { ...finding, isHeld: true } : finding]);
  });
});
