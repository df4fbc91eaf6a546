import { expect, it } from "vitest";
import {
  type EventLog,
  type LoggedEvent,
  newestEvents,
} from "../../../../shared/records/events/event-log.ts";

const now = new Date("2026-11-20T12:00:00.000Z");
const clock = { now: () => now };
const minute = 60_000;

/** An event that was logged so many minutes ago. */
const event = (id: string, minutesAgo: number): LoggedEvent => {
  const loggedAt = new Date(now.getTime() - minutesAgo * minute).toISOString();
  return { id, type: "run.finished", source: "ingather", time: loggedAt, loggedAt, detail: {} };
};

function logOf(events: LoggedEvent[]): { eventLog: EventLog; spans: number[] } {
  const spans: number[] = [];
  const eventLog: EventLog = {
    async between({ fromMs, toMs }) {
      spans.push(Math.round((toMs - fromMs) / minute));
      return events
        .filter(({ loggedAt }) => Date.parse(loggedAt) >= fromMs && Date.parse(loggedAt) <= toMs)
        .sort((a, b) => Date.parse(a.loggedAt) - Date.parse(b.loggedAt));
    },
  };
  return { eventLog, spans };
}

const idsOf = (events: LoggedEvent[]) => events.map(({ id }) => id).join(" ");

it("enough in the last minutes → newest first, and no longer span is read", async () => {
  const { eventLog, spans } = logOf([event("a", 1), event("b", 0.5), event("c", 0), event("old", 600)]);
  expect(idsOf(await newestEvents({ limit: 2 }, { eventLog, clock }))).toBe("c b");
  expect(spans).toEqual([2]);
});

it("few → longer spans, to the end of the log; none is listed twice", async () => {
  const edge = event("edge", 2);
  const { eventLog, spans } = logOf([event("a", 1), edge, event("b", 13 * 24 * 60)]);
  expect(idsOf(await newestEvents({ limit: 9 }, { eventLog, clock }))).toBe("a edge b");
  expect(spans).toHaveLength(6);
});

it("page by page, with events of the same time → each once, in one order", async () => {
  const all = Array.from({ length: 25 }, (_, at) =>
    event(`e${String(at).padStart(2, "0")}`, Math.floor(at / 4) * 30),
  );
  const { eventLog } = logOf(all);
  const seen: string[] = [];
  let after: LoggedEvent | undefined;
  for (;;) {
    const page = await newestEvents({ limit: 7, after }, { eventLog, clock });
    seen.push(...page.map(({ id }) => id));
    if (page.length < 7) break;
    after = page.at(-1);
  }
  expect(seen).toEqual(all.map(({ id }) => id));
});

it("an empty log → none", async () => {
  expect(await newestEvents({ limit: 5 }, { eventLog: logOf([]).eventLog, clock })).toEqual([]);
});
