import { expect, it } from "vitest";
import { summaryOf } from "../../local/follow-run.ts";
import { newSourceReport } from "../../shared/delivery/report/source-report.ts";

const outcome = {
  sourceId: "s",
  title: "S",
  state: "read" as const,
  entries: 5,
  known: 0,
  requested: 5,
  dropped: [],
};

it.each([
  [2, "S: 5 listed, 5 converted, 3 delivered, 2 the same as another, or ignored"],
  [0, "S: 5 listed, 5 converted, 3 delivered"],
])("%i of the converted are duplicates → named beside what was delivered", (duplicates, line) => {
  const source = { ...newSourceReport(outcome), converted: 5, delivered: 3, duplicates };
  const totals = {
    entries: 5,
    converted: 5,
    delivered: 3,
    knownToArchive: 0,
    onlineFirst: 0,
    delinquent: 0,
    unusable: 0,
    unreachable: 0,
  };
  const run = { runId: "r", deliveryMode: "LIVE", state: "finished", startedAt: "", deadlineAt: "" } as const;
  expect(summaryOf({ run, sources: [source], files: [], overdue: [], totals })[0]).toBe(line);
});
