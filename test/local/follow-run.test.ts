import { expect, it } from "vitest";
import { summaryOf } from "../../local/follow-run.ts";
import { newSourceReport } from "../../shared/delivery/report/source-report.ts";

const outcome = {
  sourceId: "s",
  title: "S",
  state: "read" as const,
  entries: 5,
  known: {},
  requested: 5,
  dropped: [],
};

it.each([
  [
    2,
    {},
    "S: 5 listed, 5 converted, 3 delivered, 2 the same as another, or ignored",
    "Delivered 3, refused 0",
  ],
  [0, {}, "S: 5 listed, 5 converted, 3 delivered", "Delivered 3, refused 0"],
  [
    0,
    { delivered: 4, waiting: 1, ignored: 2, elsewhere: 3 },
    "S: 5 listed, 5 converted, 3 delivered, 4 delivered before, 1 still waiting as online-first, 2 ignored by an operator, 3 delivered elsewhere",
    "Delivered 3, 4 delivered before, 1 still waiting as online-first, 2 ignored by an operator, 3 delivered elsewhere, refused 0",
  ],
])("%i duplicates, %o known → named beside what was delivered", (duplicates, known, line, last) => {
  const source = {
    ...newSourceReport({ ...outcome, known }),
    converted: 5,
    delivered: 3,
    duplicates: { count: duplicates, first: [] },
  };
  const totals = {
    entries: 5,
    converted: 5,
    delivered: 3,
    undelivered: 0,
    knownToArchive: source.knownToArchive,
    onlineFirst: 0,
    delinquent: 0,
    unusable: 0,
    unreachable: 0,
  };
  const run = { runId: "r", deliveryMode: "LIVE", state: "finished", startedAt: "", deadlineAt: "" } as const;
  const report = { run, sources: [source], files: [], waitingFiles: [], totals };
  const summary = summaryOf({ ...report, overdue: [] });
  expect(summary[0]).toBe(line);
  expect(summary[1]).toBe(`${last}, waiting 0, overdue sources 0.`);
  expect(summaryOf({ ...report, totals: { ...totals, undelivered: 2 } })[1]).toBe(
    `${last.replace(", refused", ", 2 not delivered yet, refused")}, waiting 0, overdue sources not checked.`,
  );
});
