import { expect, it } from "vitest";
import { mergeSourceOutcomes } from "../../../../shared/records/runs/merge-source-outcomes.ts";
import type { SourceOutcome } from "../../../../shared/records/runs/run.ts";
import { truncateDropped } from "../../../../shared/records/runs/shorten-outcome.ts";

const listing = (more: Partial<SourceOutcome>): SourceOutcome => ({
  sourceId: "a",
  title: "A",
  state: "read",
  entries: 0,
  known: {},
  requested: 0,
  dropped: [],
  ...more,
});
const failed = (reason: string) => listing({ state: "failed", reason });

it.each<[string, SourceOutcome[], Partial<SourceOutcome>[]]>([
  ["none → none", [], []],
  ["one → as it is", [failed("x")], [{ state: "failed", reason: "x" }]],
  [
    "several → their sums",
    [
      listing({ entries: 3, known: { waiting: 1 }, requested: 2 }),
      listing({ entries: 2, known: { waiting: 1, ignored: 2 }, requested: 1 }),
    ],
    [{ state: "read", entries: 5, known: { waiting: 2, ignored: 2 }, requested: 3 }],
  ],
  [
    "some failed → read, with their reasons",
    [listing({}), failed("x"), failed("y")],
    [{ state: "read", reason: "x (and something else of 1 other page)" }],
  ],
  [
    "limits of a crawl → their sums, a line each",
    [
      failed("x"),
      listing({ entries: 1, unfollowed: { "the limit": 2, "the time": 1 } }),
      listing({ unfollowed: { "the limit": 20 } }),
    ],
    [
      {
        state: "read",
        reason:
          "x; the limit: 22 links to further pages not followed; the time: 1 link to further pages not followed",
      },
    ],
  ],
  [
    "no article on any page → failed, with what was looked for",
    [listing({ emptyReason: "matches /a/" }), listing({ emptyReason: "matches /a/" })],
    [{ state: "failed", reason: "no link of 2 pages matches /a/" }],
  ],
  [
    "no article on some pages → nothing is reported",
    [listing({ emptyReason: "matches /a/" }), listing({ entries: 1 })],
    [{ state: "read" }],
  ],
  [
    "no article, and a list without any → read, and reported",
    [listing({ emptyReason: "matches /a/" }), listing({})],
    [{ state: "read", reason: "no link of 1 page matches /a/" }],
  ],
  [
    "what only says where to look, and what failed → failed",
    [listing({ isPreparatory: true }), failed("x")],
    [{ state: "failed", reason: "x" }],
  ],
  [
    "what only says where to look → read",
    [listing({ isPreparatory: true }), listing({ isPreparatory: true })],
    [{ state: "read" }],
  ],
  ["all failed → failed", [failed("x"), failed("x")], [{ state: "failed", reason: "x" }]],
  [
    "of two sources → apart",
    [listing({}), listing({ sourceId: "b" })],
    [{ sourceId: "a" }, { sourceId: "b" }],
  ],
])("listings: %s", (_title, listings, outcomes) => {
  expect(mergeSourceOutcomes(listings)).toMatchObject(outcomes);
  expect(mergeSourceOutcomes(listings)).toHaveLength(outcomes.length);
  expect(mergeSourceOutcomes(listings).map(({ reason }) => reason)).toEqual(
    outcomes.map(({ reason }) => reason),
  );
});

it("more dropped entries than are kept → the first ones, and how many more", () => {
  const dropped = Array.from({ length: 150 }, (_, index) => ({ entry: `${index}`, reason: "x" }));
  expect(truncateDropped(dropped)).toHaveLength(101);
  expect(truncateDropped(dropped).at(-1)?.entry).toBe("50 more entries");
  expect(truncateDropped(truncateDropped(dropped))).toEqual(truncateDropped(dropped));
});
