import { describe, expect, it } from "vitest";
import { parseTranslation } from "../../../../shared/harvest/article/parse-translation.ts";

const url = "https://j.example/1";
const article = (path: string) => ({
  itemType: "journalArticle",
  title: path,
  url: `https://j.example${path}`,
});
const noted = (path: string, ...notes: string[]) => ({
  ...article(path),
  notes: notes.map((text) => ({ note: text })),
});
const note = { itemType: "note", note: "LF:" };

function read(status: number, body: unknown, translated: "page" | "choices" | "cached" = "page") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return parseTranslation({ status, bytes: new TextEncoder().encode(text), translated, url });
}

describe("an answer of a translation server", () => {
  it.each<[string, ReturnType<typeof read>, object]>([
    ["an item", read(200, [article("/1")]), { type: "items", items: [noted("/1")] }],
    [
      "items with notes → each with its own",
      read(200, [article("/1"), note, note, article("/2")]),
      { type: "items", items: [noted("/1", "LF:", "LF:"), noted("/2")] },
    ],
    [
      "choices",
      read(300, { session: "S", items: { a: "A" } }),
      { type: "choices", choices: { session: "S", items: { a: "A" } } },
    ],
    [
      "choices without items",
      read(300, { session: "S" }),
      { type: "failed", reason: expect.stringContaining("no choices") },
    ],
    [
      "choices of choices",
      read(300, { items: {} }, "choices"),
      { type: "failed", reason: expect.stringContaining("its own choices") },
    ],
    [
      "an item among malformed ones → each separate, for the conversion to drop the malformed ones",
      read(200, [null, article("/1"), note, "x", 7]),
      { type: "items", items: [null, noted("/1", "LF:"), "x", 7] },
    ],
    [
      "what is not an item, of another page's choices",
      read(200, [null, article("/2")], "cached"),
      { type: "empty" },
    ],
    ["nothing", read(200, []), { type: "empty" }],
    [
      "the list itself for its choices",
      read(200, [article("/1")], "choices"),
      { type: "failed", reason: expect.stringContaining("the list itself") },
    ],
    [
      "another item for its only choice",
      read(200, [article("/2")], "choices"),
      { type: "items", items: [noted("/2")] },
    ],
    [
      "another page's choices → the one with this address",
      read(200, [article("/2"), article("/1"), note], "cached"),
      { type: "items", items: [noted("/1", "LF:")] },
    ],
    [
      "400",
      read(400, "x"),
      { type: "failed", reason: "the translation server could not load the page (status 400)" },
    ],
    [
      "404",
      read(404, "x"),
      { type: "failed", reason: "the translation server refused the page (status 404)" },
    ],
    [
      "an object",
      read(200, { itemType: "x" }),
      { type: "failed", reason: expect.stringContaining("no items") },
    ],
    ["a web page", read(200, "<html>"), { type: "failed", reason: expect.stringContaining("no items") }],
  ])("%s", (_what, reading, expected) => {
    expect(reading).toEqual(expected);
  });
});
