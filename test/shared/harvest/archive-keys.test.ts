import { describe, expect, it } from "vitest";
import { archiveKeys } from "../../../shared/harvest/archive-keys.ts";

describe("archiveKeys", () => {
  it.each([
    ["doi:10.5555/ABC", ["doi:10.5555/abc"]],
    ["https://doi.org/10.5555/abc", ["doi:10.5555/abc", "url:doi.org/10.5555/abc"]],
    ["http://dx.doi.org/10.5555%2Fabc", ["doi:10.5555/abc", "url:dx.doi.org/10.5555%2fabc"]],
    ["https://Journal.Example/A/", ["url:journal.example/a"]],
    ["http://journal.example/A", ["url:journal.example/a"]],
    ["https://journal.example/A#abstract", ["url:journal.example/a"]],
    ["https://journal.example/A?id=1", ["url:journal.example/a?id=1"]],
    [
      "https://journal.example/doi/full/10.5555/abc",
      ["doi:10.5555/abc", "url:journal.example/doi/full/10.5555/abc"],
    ],
    [
      "https://journal.example/doi/10.5555/abc/full",
      ["doi:10.5555/abc", "doi:10.5555/abc/full", "url:journal.example/doi/10.5555/abc/full"],
    ],
    ["https://journal.example/%E0%A4%A", ["url:journal.example/%e0%a4%a"]],
    [" article 1 ", ["url:article 1"]],
  ])("%s → %j", (text, keys) => {
    const record = text.startsWith("doi:") ? { doi: text, urls: [] } : { urls: [text] };
    expect(archiveKeys(record, "LIVE")).toEqual(keys);
  });

  it("all keys of a record, each once and sorted", () => {
    const record = {
      doi: "10.5555/abc",
      urls: ["https://b.example/1", "https://doi.org/10.5555/ABC"],
      hash: "FF00",
    };
    expect(archiveKeys(record, "LIVE")).toEqual([
      "doi:10.5555/abc",
      "hash:FF00",
      "url:b.example/1",
      "url:doi.org/10.5555/abc",
    ]);
  });

  it("a test delivery → keys of its own", () => {
    expect(archiveKeys({ urls: ["https://b.example/1"] }, "TEST")).toEqual(["test:url:b.example/1"]);
  });

  it("a URL longer than a key may be → a bounded key, another for another URL", () => {
    const keysOf = (path: string) => archiveKeys({ urls: [`https://b.example/${path}`] }, "LIVE");
    const [one = ""] = keysOf("x".repeat(5000));
    expect(Buffer.byteLength(one)).toBeLessThan(1000);
    expect(keysOf(`${"x".repeat(4999)}y`)).not.toEqual([one]);
    expect(keysOf("x".repeat(5000))).toEqual([one]);
  });
});
