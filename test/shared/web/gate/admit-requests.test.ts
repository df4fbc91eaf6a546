import { describe, expect, it } from "vitest";
import { defaultHourlyShare } from "../../../../shared/web/gate/host-shares.ts";
import { startMs } from "../gate-world.ts";
import { TwoLines } from "../two-lines.ts";

const minuteMs = 60_000;
const delayMs = 1000;
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

function sentAt(lines: TwoLines, id: string): number {
  const found = lines.sent.find((each) => each.id === id);
  if (found === undefined) throw new Error(`${id} was not sent`);
  return found.atMs;
}

function readersOf({ sent }: TwoLines): string[] {
  return sent.map(({ id }) => id).filter((id) => id.startsWith("reader"));
}

function shortestGapMs({ sent }: TwoLines): number {
  return Math.min(...sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0)));
}

/** A harvest of 300 articles, alone or beside readers: when its last article is requested. */
async function harvest(readers: (lines: TwoLines) => Promise<void>): Promise<[TwoLines, number]> {
  const lines = new TwoLines();
  const articles = names("article", 300);
  await readers(lines);
  await lines.runUntil(20 * minuteMs, [
    { atMs: 5000, run: () => lines.enqueue(lines.gate, articles, { notAfter: iso(15 * minuteMs) }) },
  ]);
  return [lines, sentAt(lines, "article-299")];
}

const iso = (ms: number) => new Date(startMs + ms).toISOString();

describe("checks of readers", () => {
  it("64 of them and an operator's request → it waits for one of them at most", async () => {
    const lines = new TwoLines();
    lines.enqueue(lines.idle, names("reader", 64));
    await lines.runUntil(30 * minuteMs, [
      { atMs: 30_100, run: () => lines.enqueue(lines.gate, ["operator"]) },
    ]);
    expect(sentAt(lines, "operator") - 30_100).toBeLessThanOrEqual(delayMs + 400);
    expect(lines.sent.filter(({ id }) => id.startsWith("reader"))).toHaveLength(64);
    expect(shortestGapMs(lines)).toBeGreaterThanOrEqual(delayMs);
  });

  it("10,000 of them beside a harvest → 60 pass in the hour, after the harvest, which ends as if alone", async () => {
    const [alone, aloneMs] = await harvest(async () => {});
    let refused = 0;
    const [lines, besideMs] = await harvest(async (lines) => {
      for (const id of names("reader", 10_000)) {
        const isTaken = await lines.shares.take("journal.example", new Date(startMs), defaultHourlyShare);
        if (isTaken) lines.enqueue(lines.idle, [id]);
        else refused += 1;
      }
    });
    expect(refused).toBe(9940);
    expect(besideMs - aloneMs).toBeLessThanOrEqual(2 * delayMs);
    const articles = (of: TwoLines) => of.sent.filter(({ id }) => id.startsWith("article"));
    expect(articles(lines)).toHaveLength(300);
    expect(articles(alone)).toHaveLength(300);
    const between = lines.sent.filter(({ id, atMs }) => id.startsWith("reader") && atMs > 5000 + 2 * delayMs);
    expect(Math.min(...between.map(({ atMs }) => atMs))).toBeGreaterThan(besideMs);
    expect(lines.sent.filter(({ id }) => id.startsWith("reader"))).toHaveLength(60);
    expect(shortestGapMs(lines)).toBeGreaterThanOrEqual(delayMs);
  });

  it("a message that is delivered twice → one request", async () => {
    const lines = new TwoLines();
    lines.enqueue(lines.idle, ["reader-0", "reader-0"]);
    await lines.runUntil(5 * minuteMs);
    expect([readersOf(lines), lines.idle.messages, lines.gate.messages]).toEqual([["reader-0"], [], []]);
  });

  it("a worker that dies before it sends → the request a minute later", async () => {
    const lines = new TwoLines();
    await lines.shares.markAdmitted("journal.example", startMs);
    lines.enqueue(lines.idle, ["reader-0"]);
    await lines.runUntil(5 * minuteMs);
    expect(sentAt(lines, "reader-0")).toBeGreaterThanOrEqual(minuteMs);
    expect(sentAt(lines, "reader-0")).toBeLessThan(2 * minuteMs);
  });

  it("our own network is down → they stay in their line", async () => {
    const lines = new TwoLines();
    lines.world.networkIsDown = true;
    lines.enqueue(lines.idle, names("reader", 3));
    await lines.runUntil(20 * minuteMs);
    expect([lines.idle.messages.length, lines.gate.messages.length]).toEqual([3, 0]);
  });

  it("a host that is never idle → they take their turns after a minute, one at a time", async () => {
    const lines = new TwoLines();
    lines.enqueue(lines.idle, names("reader", 3));
    // Each five seconds bring more work than the host does in them.
    const events = Array.from({ length: 240 }, (_, turn) => ({
      atMs: turn * 5000,
      run: () => lines.enqueue(lines.gate, names(`article-${turn}`, 4)),
    }));
    await lines.runUntil(20 * minuteMs, events);
    expect(readersOf(lines)).toEqual(names("reader", 3));
    expect(sentAt(lines, "reader-0")).toBeLessThan(3 * minuteMs);
    expect(lines.dropped).toEqual([]);
  });

  it("six of them at an idle host → the second waits for seconds, not half a minute", async () => {
    const lines = new TwoLines();
    lines.enqueue(lines.idle, names("reader", 6));
    await lines.runUntil(5 * minuteMs);
    expect(sentAt(lines, "reader-1") - sentAt(lines, "reader-0")).toBeLessThan(7000);
    expect(sentAt(lines, "reader-5")).toBeLessThan(minuteMs);
  });

  it("a host that is busy until notAfter → dropped", async () => {
    const lines = new TwoLines();
    lines.enqueue(lines.gate, names("article", 100));
    lines.enqueue(lines.idle, ["reader-0"], { notAfter: iso(minuteMs / 2) });
    await lines.runUntil(10 * minuteMs);
    expect(lines.dropped).toEqual(["reader-0"]);
    expect(lines.sent.some(({ id }) => id === "reader-0")).toBe(false);
  });

  it("a request that the gate refuses → the next one after a minute", async () => {
    const lines = new TwoLines();
    lines.withdrawn.add("reader-0");
    lines.enqueue(lines.idle, ["reader-0", "reader-1"]);
    await lines.runUntil(3 * minuteMs);
    expect(readersOf(lines)).toEqual(["reader-1"]);
    expect(sentAt(lines, "reader-1")).toBeGreaterThanOrEqual(minuteMs);
  });

  it("a message that is not a request → dead-lettered, the others pass", async () => {
    const lines = new TwoLines();
    lines.idle.messages.push({ messageId: "bad", receiptHandle: "bad", body: "{}" });
    lines.enqueue(lines.idle, ["reader-1"]);
    await lines.runUntil(minuteMs);
    expect(lines.world.deadLettered.map(({ messageId }) => messageId)).toEqual(["bad"]);
    expect(readersOf(lines)).toEqual(["reader-1"]);
  });
});
