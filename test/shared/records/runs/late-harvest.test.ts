import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ThrottledError } from "../../../../shared/core/errors.ts";
import { reportRun } from "../../../../shared/deliver/report/report.ts";
import { finishListing } from "../../../../shared/harvest/listing/finish-listing.ts";
import { closeRequest } from "../../../../shared/records/runs/completion.ts";
import { findReceivingRun, lateHarvestIdOf } from "../../../../shared/records/runs/late-harvest.ts";
import type { Stage } from "../../../../shared/records/runs/stages.ts";
import { sourcesTallyName, sourceTallyName } from "../../../../shared/records/runs/tally-names.ts";
import { converted, deliveredTitles, harvested, runStage } from "../../deliver/run-world.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const minuteMs = 60_000;
const [softMinutes, hardMinutes] = [60, 180];

/** Runs of a day each, with a soft deadline after one hour and a deadline after three. */
class LateWorld {
  readonly ports = new MemoryPorts();
  private readonly openedAt = this.ports.now.getTime();

  async start(runId: string, sourceIds: string[], softDeadline = true): Promise<void> {
    harvested(this.ports, runId, []);
    const after = (minutes: number) => new Date(this.ports.now.getTime() + minutes * minuteMs).toISOString();
    const run = this.ports.runsById.get(runId);
    if (run === undefined) throw new Error("no run");
    this.ports.runsById.set(runId, {
      ...run,
      ...(softDeadline && { softDeadlineAt: after(softMinutes) }),
      deadlineAt: after(hardMinutes),
    });
    await this.ports.runs.updateTally(runId, sourcesTallyName, { opened: sourceIds });
    for (const sourceId of sourceIds)
      await this.ports.runs.updateTally(runId, sourceTallyName(sourceId), { opened: ["list"] });
  }

  at(day: number, minutes: number): void {
    this.ports.now = new Date(this.openedAt + day * 1440 * minuteMs + minutes * minuteMs);
  }

  /** A reader finds an article. @returns whether somebody takes it */
  async find(runId: string, sourceId: string, name: string): Promise<boolean> {
    const receiving = await findReceivingRun(runId, this.ports.runs);
    if (receiving === undefined) return false;
    const urls = [`https://s.example/${name}`];
    const outcome = converted({ id: name, urls }, { runId, mode: "LIVE" }, this.ports);
    const requestId = `${runId}-${name}`;
    await this.ports.runs.saveOutcome(receiving.receivedBy, { ...outcome, sourceId, requestId });
    return true;
  }

  /** The last article of a source. */
  async close(runId: string, sourceId: string): Promise<void> {
    let isComplete = false;
    const delivery = {
      send: async () => {
        isComplete = true;
      },
    };
    await closeRequest({ runId, sourceId, id: "list" }, { runs: this.ports.runs, delivery });
    if (isComplete) await this.deliver(runId);
  }

  /** A message to the first stage, and those that follow; each is received again when its function is killed. */
  async deliver(runId: string): Promise<void> {
    let stage: Stage | undefined = "validate";
    while (stage !== undefined) {
      try {
        stage = await runStage(stage, { runId }, this.ports);
      } catch (error) {
        // The lease of a killed worker ends by itself.
        if (error instanceof ThrottledError) this.ports.now = error.retryAt;
        else if (!(error instanceof Killed)) throw error;
        this.ports.live();
      }
    }
  }

  stateOf(runId: string): string | undefined {
    return this.ports.runsById.get(runId)?.state;
  }
}

const titles = (names: string[]) => names.map((name) => `On ${name}`).toSorted();

describe("a soft deadline", () => {
  it("one source is late → the others are delivered, it is named, and joins the next delivery", async () => {
    const world = new LateWorld();
    await world.start("mon", ["fast", "slow"]);
    await world.find("mon", "fast", "a");
    await world.close("mon", "fast");
    await world.find("mon", "slow", "b");
    world.at(0, softMinutes);
    await world.deliver("mon");
    expect(world.stateOf("mon")).toBe("finished");
    expect(deliveredTitles(world.ports)).toEqual(titles(["a", "b"]));
    const report = await reportRun("mon", world.ports.runs);
    expect(report.late).toEqual(["slow"]);
    expect(await world.find("mon", "slow", "c")).toBe(true);
    await world.close("mon", "slow");
    expect(world.stateOf(lateHarvestIdOf("mon"))).toBe("delivering");
    expect(deliveredTitles(world.ports)).toEqual(titles(["a", "b"]));
    world.at(1, 0);
    await world.start("tue", []);
    await world.deliver("tue");
    expect(deliveredTitles(world.ports)).toEqual(titles(["a", "b", "c"]));
    expect(world.stateOf(lateHarvestIdOf("mon"))).toBe("finished");
  });

  it("nothing is finished → the run waits for its deadline", async () => {
    const world = new LateWorld();
    await world.start("mon", ["slow"]);
    world.at(0, softMinutes);
    await world.deliver("mon");
    expect(world.stateOf("mon")).toBe("harvesting");
    await world.find("mon", "slow", "a");
    world.at(0, hardMinutes);
    await world.deliver("mon");
    expect(deliveredTitles(world.ports)).toEqual(titles(["a"]));
    expect((await reportRun("mon", world.ports.runs)).late).toBeUndefined();
    expect(await world.find("mon", "slow", "b")).toBe(false);
  });

  it("without one → the run takes all until its deadline", async () => {
    const world = new LateWorld();
    await world.start("mon", ["fast", "slow"], false);
    await world.find("mon", "fast", "a");
    world.at(0, hardMinutes);
    await world.deliver("mon");
    expect(await world.find("mon", "slow", "b")).toBe(false);
    expect(world.stateOf(lateHarvestIdOf("mon"))).toBeUndefined();
  });

  it("the delivery begins while a listing is read → what it resolved joins the next delivery", async () => {
    const world = new LateWorld();
    await world.start("mon", ["fast", "slow"]);
    await world.find("mon", "fast", "a");
    await world.close("mon", "fast");
    const receiving = await findReceivingRun("mon", world.ports.runs);
    if (receiving === undefined) throw new Error("no receiver");
    const at = { runId: "mon", sourceId: "slow", id: "list" };
    const resolve = async () => {
      world.at(0, softMinutes);
      await world.deliver("mon");
      const article = { id: "b", urls: ["https://s.example/b"] };
      const document = converted(article, { runId: "mon", mode: "LIVE" }, world.ports);
      const outcome = { ...document, sourceId: "slow", requestId: "mon-b" };
      return {
        outcome: {
          ...{ sourceId: "slow", title: "Slow", listingId: "list", state: "read" as const },
          ...{ entries: 1, known: {}, requested: 0, dropped: [] },
        },
        articleRequests: [],
        listingRequests: [],
        resolved: [outcome],
      };
    };
    const { runs, sources, archive } = world.ports;
    const none = { send: async () => {} };
    const clock = { now: () => world.ports.now };
    const ports = { runs, sources, archive, requests: none, delivery: none, clock };
    await finishListing(resolve, { ...at, ...receiving }, ports);
    expect(deliveredTitles(world.ports)).toEqual(titles(["a"]));
    await world.deliver("mon");
    world.at(1, 0);
    await world.start("tue", []);
    await world.deliver("tue");
    expect(deliveredTitles(world.ports)).toEqual(titles(["a", "b"]));
  });

  it("any sources, articles and kills → each article that was found in time is delivered once", async () => {
    const article = fc.record({
      source: fc.integer({ min: 0, max: 2 }),
      minute: fc.integer({ min: 1, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(article, { maxLength: 12 }),
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        fc.boolean(),
        async (articles, writes, before, twice) => {
          const world = new LateWorld();
          const sources = ["s0", "s1", "s2"];
          await world.start("mon", sources);
          const due = articles
            .map(({ source, minute }, index) => ({ name: `n${index}`, sourceId: `s${source}`, minute }))
            .toSorted((a, b) => a.minute - b.minute);
          const found: string[] = [];
          const deliver = async () => {
            await world.deliver("mon");
            if (twice) await world.deliver("mon");
          };
          const events: [minute: number, () => Promise<unknown>][] = [
            ...due.map(({ name, sourceId, minute }): (typeof events)[number] => [
              minute,
              async () => {
                if (await world.find("mon", sourceId, name)) found.push(name);
                if (due.findLast((each) => each.sourceId === sourceId)?.name === name && minute < hardMinutes)
                  await world.close("mon", sourceId);
              },
            ]),
            [softMinutes + 0.5, deliver],
            [hardMinutes + 0.5, deliver],
          ];
          for (const sourceId of sources)
            if (due.every((each) => each.sourceId !== sourceId)) await world.close("mon", sourceId);
          for (const [minute, happen] of events.toSorted(([a], [b]) => a - b)) {
            world.at(0, minute);
            if (minute === softMinutes + 0.5) world.ports.dieAfter(writes, { before });
            await happen();
            if (minute === softMinutes + 0.5) world.ports.live();
          }
          expect(world.stateOf("mon")).toBe("finished");
          world.at(1, 0);
          // The sources list all of them again, by requests of another day.
          await world.start("tue", sources);
          for (const { name, sourceId } of due) await world.find("tue", sourceId, name);
          for (const sourceId of sources) await world.close("tue", sourceId);
          expect(deliveredTitles(world.ports)).toEqual(titles(due.map(({ name }) => name)));
          expect(found).toEqual(due.filter(({ minute }) => minute <= hardMinutes).map(({ name }) => name));
          expect([undefined, "finished"]).toContain(world.stateOf(lateHarvestIdOf("mon")));
        },
      ),
      { numRuns: 200 },
    );
  });
});
