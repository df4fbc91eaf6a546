import { describe, expect, it } from "vitest";
import { readPreview } from "../../../../shared/deliver/validate/preview.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { harvested, runStage } from "../run-world.ts";

const a = { id: "a", urls: ["https://j.example/a"] };
const tracked = { id: "b", urls: ["https://j.example/a?utm_source=rss"] };
const other = { id: "c", urls: ["https://j.example/c"], doi: "10.5555/c" };

describe("readPreview", () => {
  it.each([
    ["an article under two addresses that mean the same → the first alone", [a, tracked, other], ["a", "c"]],
    ["two articles → both", [a, other], ["a", "c"]],
    [
      "a complete one after an online-first one → the complete one, as a delivery has it",
      [{ ...a, isOnlineFirst: true }, tracked],
      ["b"],
    ],
    [
      "two that validation refuses → both, to be looked at",
      [
        { ...a, title: "" },
        { ...tracked, title: "" },
      ],
      ["a", "b"],
    ],
  ])("%s", async (_title, articles, hashes) => {
    const preview = await previewOf(articles);
    expect(preview?.records.map(({ hash }) => hash)).toEqual(hashes);
    expect(preview?.missed).toHaveLength(articles.length - hashes.length);
  });

  it("a duplicate → dropped, with the URL of the first and the key that both have", async () => {
    expect((await previewOf([a, tracked]))?.missed).toEqual([
      {
        url: "https://j.example/a?utm_source=rss",
        title: "On b",
        state: "dropped",
        reason: 'duplicate of "On a" <https://j.example/a>: both have url:j.example/a',
      },
    ]);
  });
});

async function previewOf(articles: Parameters<typeof harvested>[2]) {
  const ports = new MemoryPorts();
  harvested(ports, "none-x", articles, { mode: "NONE" });
  await runStage("validate", { runId: "none-x" }, ports);
  return readPreview("none-x", ports);
}
