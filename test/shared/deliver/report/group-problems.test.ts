import { expect, it } from "vitest";
import { groupByReason } from "../../../../shared/deliver/report/group-problems.ts";

const failed = (name: string) => `"${name}" could not be looked up: lookup.example answered 503`;
const miss = (n: number, reason: string) => ({ what: `Article ${n}`, url: `https://j.example/${n}`, reason });

it("three or more with one reason, whatever they quote and how often → one line with their number", () => {
  const other = miss(4, "it has no date");
  const misses = [
    miss(1, failed("Doe, J")),
    miss(2, `${failed("Roe, R")}; ${failed("Poe, E")}`),
    other,
    miss(3, failed("Doe, J")),
  ];
  expect(groupByReason(misses)).toEqual([
    {
      what: "3 articles, the first of them Article 1",
      url: "https://j.example/1",
      reason: '"…" could not be looked up: lookup.example answered 503',
    },
    other,
  ]);
});

it("fewer → a line each", () => {
  const misses = [miss(1, failed("Doe, J")), miss(2, failed("Roe, R"))];
  expect(groupByReason(misses)).toEqual(misses);
});
