import { describe, expect, it } from "vitest";
import { archiveKeys } from "../../../shared/harvest/archive-keys.ts";

describe("archiveKeys", () => {
  it.each([
    ["doi:10.5555/ABC", ["doi:10.5555/abc"]],
    ["https://doi.org/10.5555/abc", ["doi:10.5555/abc", "url:doi.org/10.5555/abc"]],
    ["http://dx.doi.org/10.5555%2Fabc", ["doi:10.5555/abc", "url:dx.doi.org/10.5555%2Fabc"]],
    ["https://Journal.Example/A/", ["url:journal.example/A"]],
    ["http://journal.example/A", ["url:journal.example/A"]],
    ["https://journal.example/A#abstract", ["url:journal.example/A"]],
    ["https://journal.example/A?id=1", ["url:journal.example/A?id=1"]],
    [
      "https://journal.example/doi/full/10.5555/abc",
      ["doi:10.5555/abc", "url:journal.example/doi/full/10.5555/abc"],
    ],
    ["https://journal.example/%E0%A4%A", ["url:journal.example/%E0%A4%A"]],
    [" article 1 ", ["url:article 1"]],
  ])("%s → %j", (text, keys) => {
    const record = text.startsWith("doi:") ? { doi: text, urls: [] } : { urls: [text] };
    expect(archiveKeys(record)).toEqual(keys);
  });

  it("all keys of a record, each once and sorted", () => {
    const record = {
      doi: "10.5555/abc",
      urls: ["https://b.example/1", "https://doi.org/10.5555/ABC"],
      hash: "FF00",
    };
    expect(archiveKeys(record)).toEqual([
      "doi:10.5555/abc",
      "hash:FF00",
      "url:b.example/1",
      "url:doi.org/10.5555/ABC",
    ]);
  });
});
