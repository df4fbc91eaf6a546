import { describe, expect, it } from "vitest";
import { describeFailure, describeRun } from "../../../local/start/follow-run.ts";
import type { RunReport } from "../../../shared/deliver/report/report.ts";
import { newSourceReport } from "../../../shared/deliver/report/source-report.ts";
import type { Run } from "../../../shared/records/runs/run.ts";
import { sourceOutcome } from "../../shared/records/runs/source-outcome.ts";

const run: Run = { runId: "r", deliveryMode: "LIVE", state: "finished", startedAt: "", deadlineAt: "" };

const outcome = sourceOutcome({ entries: 5, requested: 5 });
const none = {
  entries: 0,
  converted: 0,
  delivered: 0,
  undelivered: 0,
  knownToArchive: {},
  onlineFirst: 0,
  delinquent: 0,
  refusedBefore: 0,
  unusable: 0,
  unreachable: 0,
};

it.each([
  [
    2,
    {},
    "S: 5 listed, 5 converted, 3 delivered, 2 duplicate, or ignored",
    "Delivered 3, left out 0, refused 0",
  ],
  [0, {}, "S: 5 listed, 5 converted, 3 delivered", "Delivered 3, left out 0, refused 0"],
  [
    0,
    { delivered: 4, claimed: 6, waiting: 1, ignored: 2, elsewhere: 3 },
    "S: 5 listed, 5 converted, 3 delivered, 4 delivered before, 6 claimed by another run, not delivered, 1 still waiting as online-first, 2 ignored by an operator, 3 delivered elsewhere",
    "Delivered 3, 4 delivered before, 6 claimed by another run, not delivered, 1 still waiting as online-first, 2 ignored by an operator, 3 delivered elsewhere, left out 0, refused 0",
  ],
])("%i duplicates, %o known → named beside what was delivered", (duplicates, known, line, last) => {
  const source = {
    ...newSourceReport({ ...outcome, known }),
    converted: 5,
    delivered: 3,
    duplicates: { count: duplicates, first: [] },
  };
  const { knownToArchive } = source;
  const totals = { ...none, entries: 5, converted: 5, delivered: 3, knownToArchive };
  const report = { run, sources: [source], files: [], waitingFiles: [], totals };
  const summary = describeRun({ ...report, overdue: [] });
  expect(summary[0]).toBe(line);
  expect(summary[1]).toBe(`${last}, waiting 0, overdue sources 0.`);
  expect(describeRun({ ...report, totals: { ...totals, undelivered: 2 } })[1]).toBe(
    `${last.replace(", left out", ", 2 not delivered yet, left out")}, waiting 0, overdue sources not checked.`,
  );
});

it("a title or a reason with line breaks and other controls → still a line each", () => {
  const miss = { what: "On\nDelivered 9\u001b[2J", url: "", reason: "no\u2028body\u202e" };
  const source = { ...newSourceReport(outcome), unusable: { count: 1, first: [miss] } };
  const report = { ...reportOf({}), sources: [source] };
  expect(describeRun(report)[1]).toBe("  dropped: On Delivered 9 [2J: no body");
  expect(describeFailure([reportOf({ A: "5\n00" })])).toBe("no source could be read: A: 5 00");
});

it("a source on a private host → told the option that permits it, with its host", () => {
  const reason = "not fetched (port): port 4921 is not among the web ports";
  expect(describeFailure([reportOf({ A: reason })])).toBe(
    `no source could be read: A: ${reason}; start with --allow-private HOST:PORT to permit this host (repeat it for each host)`,
  );
});

it("articles without a record → left out, by reason; refused counts the refused records alone", () => {
  const totals = { ...none, delinquent: 3, refusedBefore: 0, unusable: 1, unreachable: 2 };
  const left = "left out 3 (1 dropped, 2 unreachable), refused 3, waiting 0";
  expect(describeRun({ ...reportOf({}), totals }).at(-1)).toContain(left);
});

/** A run with its sources: `{ A: "read" }`, or why one failed. */
function reportOf(sources: Record<string, string>, failure?: string): RunReport {
  return {
    run:
      failure === undefined
        ? run
        : { ...run, state: "failed", failure: { stage: "upload", reason: failure, at: "" } },
    sources: Object.entries(sources).map(([title, told]) =>
      newSourceReport({
        ...outcome,
        sourceId: title,
        title,
        ...(told !== "read" && { state: "failed", reason: told }),
      }),
    ),
    files: [],
    waitingFiles: [],
    totals: none,
  };
}

describe("failureOf", () => {
  const stopped = "the delivery of run r stopped at upload: refused";
  it.each<[string, RunReport[], string | undefined]>([
    ["all went well", [reportOf({ A: "read", B: "404" })], undefined],
    ["none was read", [reportOf({ A: "500", B: "404" })], "no source could be read: A: 500; B: 404"],
    ["nothing was due", [reportOf({})], undefined],
    [
      "one failed again that an interrupted run had tried",
      [reportOf({ A: "read", B: "404" }), reportOf({ B: "500" })],
      undefined,
    ],
    [
      "none is read any more",
      [reportOf({ A: "read", B: "read" }), reportOf({ A: "500", B: "404" })],
      "no source could be read: A: 500; B: 404",
    ],
    [
      "an earlier delivery stops again",
      [reportOf({ A: "read" }, "refused"), reportOf({ A: "read" })],
      stopped,
    ],
    [
      "both",
      [reportOf({ A: "read" }, "refused"), reportOf({ A: "500" })],
      `${stopped}\nno source could be read: A: 500`,
    ],
  ])("%s → told as that", (_when, reports, failure) => {
    expect(describeFailure(reports)).toBe(failure);
  });
});
