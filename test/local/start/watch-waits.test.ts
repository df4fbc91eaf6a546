import { expect, it } from "vitest";
import { describeWaits, printNewWaits } from "../../../local/start/watch-waits.ts";
import type { UnfinishedRun } from "../../../shared/operations/today/unfinished-runs.ts";

const now = new Date("2026-11-20T08:00:00.000Z");
const later = "2026-11-20T08:50:00.000Z";
const soon = "2026-11-20T08:00:05.000Z";

function waiting(source: Partial<UnfinishedRun["sources"][number]>): UnfinishedRun {
  const open = { sourceId: "s", title: "Bees", hostKey: "b.example", waitsFor: "queue" as const, ...source };
  return { runId: "r", mode: "LIVE", startedAt: "", deadlineAt: "", openCount: 1, sources: [open] };
}

it.each<[Partial<UnfinishedRun["sources"][number]>, string[]]>([
  [
    { waitsFor: "back-off", until: later },
    [`waiting for Bees (b.example): its host: back-off or Retry-After, until ${later}`],
  ],
  [
    { waitsFor: "unavailable", until: later, title: "B\nees" },
    [`waiting for B ees (b.example): its host, which is unavailable, until ${later}`],
  ],
  [{ waitsFor: "paused" }, ["waiting for Bees (b.example): its host, which is paused"]],
  [{ waitsFor: "back-off", until: soon }, []],
  [{ waitsFor: "delay", until: later }, []],
  [{ waitsFor: "queue" }, []],
])("%j → %j", (source, lines) => {
  expect(describeWaits([waiting(source)], now)).toEqual(lines);
});

it("a wait that lasts → printed once; one that comes again → printed again", async () => {
  const stop = new AbortController();
  const polls = [["a"], ["a", "b"], ["a"], ["a", "b"]];
  const printed: string[] = [];
  const list = async () => {
    if (polls.length === 1) stop.abort();
    return polls.shift() ?? [];
  };
  await printNewWaits(list, { print: (line) => printed.push(line), signal: stop.signal, everyMs: 0 });
  expect(printed).toEqual(["a", "b", "b"]);
});
