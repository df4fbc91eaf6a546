import { expect, it } from "vitest";
import { whyNothingDelivered } from "../../../../shared/deliver/report/nothing-delivered.ts";
import type { RunReport } from "../../../../shared/deliver/report/report.ts";
import { newSourceReport, type SourceReport } from "../../../../shared/deliver/report/source-report.ts";
import { sourceOutcome } from "../../records/runs/source-outcome.ts";

function source(change: Partial<SourceReport>): SourceReport {
  return { ...newSourceReport(sourceOutcome()), ...change };
}

function report(
  sources: Partial<SourceReport>[],
  delivered = 0,
  deliveryMode: "LIVE" | "TEST" = "LIVE",
): RunReport {
  const run = { runId: "r", deliveryMode, state: "finished", startedAt: "", deadlineAt: "" } as const;
  const totals = {
    entries: 0,
    converted: 0,
    delivered,
    undelivered: 0,
    onlineFirst: 0,
    delinquent: 0,
    refusedBefore: 0,
    unusable: 0,
    unreachable: 0,
    knownToArchive: {},
  };
  return { run, sources: sources.map(source), files: [], waitingFiles: [], totals };
}

const failed = { state: "failed" } as const;
const unanswered = { requested: 6, unanswered: 6 };

it.each<[string, RunReport, string | undefined]>([
  ["no source could be read", report([failed, failed]), "none of 2 sources could be read"],
  ["no article was answered", report([unanswered, {}]), "none of 6 requested articles was answered"],
  ["one source could be read", report([failed, {}]), undefined],
  ["one article was answered", report([unanswered, { requested: 1, read: 1 }]), undefined],
  ["a day without news", report([{ entries: 12 }, {}]), undefined],
  ["all was refused", report([{ requested: 3, read: 3, converted: 3 }]), undefined],
  ["something was delivered, of an earlier day", report([failed], 1), undefined],
  ["no sources", report([]), undefined],
  ["no source of the test run could be read", report([failed], 0, "TEST"), undefined],
])("%s → %3$s", (_title, given, why) => {
  expect(whyNothingDelivered(given)).toBe(why);
});
