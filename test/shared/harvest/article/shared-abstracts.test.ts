import { expect, it } from "vitest";
import { withoutSharedAbstract } from "../../../../shared/harvest/article/shared-abstracts.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const site = "The Journal of Bees publishes research on bees of all kinds since 1921.";
const article = (url: string, abstractNote: string, DOI = "") => [
  { itemType: "journalArticle", title: "T", url, DOI, abstractNote },
  { itemType: "note", note: "orcid:x" },
];

it("the same description in two articles of a source → not in the second one, with a warning", async () => {
  const { runs } = new MemoryPorts();
  const convert = (url: string, abstract: string, sourceId = "s") =>
    withoutSharedAbstract(article(url, abstract), { sourceId, entryUrl: url }, runs);
  const first = await convert("https://a.example/1", site);
  expect(first).toEqual({ items: article("https://a.example/1", site), warnings: [] });
  const second = await convert("https://a.example/2", site.toUpperCase());
  expect(second.items[0]).not.toHaveProperty("abstractNote");
  expect(second.items[1]).toEqual({ itemType: "note", note: "orcid:x" });
  expect(second.warnings).toEqual([expect.stringContaining("another article of the source")]);
  // A repeated message, another source and another text.
  expect((await convert("https://a.example/1", site)).warnings).toEqual([]);
  expect((await convert("https://a.example/2", site, "other")).warnings).toEqual([]);
  expect((await convert("https://a.example/2", "Bees dance.")).warnings).toEqual([]);
});

it("one article at two addresses, by its DOI → keeps its abstract at both", async () => {
  const { runs } = new MemoryPorts();
  for (const url of ["https://a.example/1", "https://b.example/1"]) {
    const { warnings } = await withoutSharedAbstract(
      article(url, site, url.includes("a.") ? "10.1/X" : "10.1/x"),
      { sourceId: "s", entryUrl: url },
      runs,
    );
    expect(warnings).toEqual([]);
  }
});

it("a long text in two articles → an abstract of both", async () => {
  const { runs } = new MemoryPorts();
  for (const url of ["https://a.example/1", "https://a.example/2"]) {
    const { warnings } = await withoutSharedAbstract(
      article(url, site.repeat(10)),
      { sourceId: "s", entryUrl: url },
      runs,
    );
    expect(warnings).toEqual([]);
  }
});
