import { beforeEach, describe, expect, it } from "vitest";
import { reportRun } from "../../../../shared/deliver/report/report.ts";
import { emptyListingResult } from "../../../../shared/harvest/listing/listing-results.ts";
import { processListing } from "../../../../shared/harvest/listing/process-listing.ts";
import { listedDocumentId, recordIdOf } from "../../../../shared/records/documents/document-identity.ts";
import { runContext } from "../../../../shared/records/runs/completion.ts";
import { startLongHarvest } from "../../../../shared/records/runs/long-harvest.ts";
import type { Run, RunMode } from "../../../../shared/records/runs/run.ts";
import { sourceTallyName } from "../../../../shared/records/runs/tally-names.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { converted, deliver, deliveredTitles, harvested } from "../../deliver/run-world.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const sourceId = "source";

/** A source whose list has pages that carry the metadata of their documents; the names of the documents by page. */
class ListWorld {
  readonly ports = new MemoryPorts();
  /** Requests that were sent and not read, each once however often it was sent. */
  private readonly queue = new Map<string, NewRequest>();
  private readonly sent = new Set<string>();
  readonly deliveries: string[] = [];
  private readonly pages: string[][];

  constructor(pages: string[][]) {
    this.pages = pages;
    const value = { sourceId, title: "Source", groupId: "Test", type: "DIRECT", url: "https://s.example/" };
    this.ports.sourcesById.set(sourceId, source.parse({ ...value, deliveryMode: "LIVE" }));
    this.ports.addGroup("Test");
  }

  private readonly requests = {
    send: async (requests: NewRequest[]) => {
      for (const request of requests) {
        if (!this.sent.has(request.id)) this.queue.set(request.id, request);
        this.sent.add(request.id);
      }
    },
  };

  /** The harvest as the start of a run begins it. */
  start(runId: string, deliveryMode: RunMode = "LIVE"): Promise<Run> {
    const startedAt = this.ports.now.toISOString();
    return startLongHarvest(
      sourceId,
      { runId, deliveryMode, startedAt },
      (harvest) => this.pageRequest(harvest.runId, 0),
      { runs: this.ports.runs, requests: this.requests },
    );
  }

  private pageRequest(runId: string, page: number): NewRequest {
    const context = { runId, sourceId, page };
    return { id: `${runId}-page-${page}`, kind: "page", url: `https://s.example/?page=${page}`, context };
  }

  /** Reads the pages that are requested, as many as `count`, and each again when its reader was killed. */
  async read(count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let read = 0; read < count; read += 1) {
      const [request] = this.queue.values();
      if (request === undefined) return;
      await retried(this.ports, () => this.readPage(request));
      this.queue.delete(request.id);
    }
  }

  readPage({ id, context = {} }: NewRequest): Promise<void> {
    const { runs, sources, archive } = this.ports;
    const at = runContext.parse(context);
    const page = Number(context.page);
    const names = this.pages[page] ?? [];
    const list = async () => ({
      ...emptyListingResult({ sourceId, title: "Source" }),
      resolved: names.map((name) => {
        const identity = { sourceId, identifier: [`oai:s.example:${name}`] as const };
        const article = { id: name, urls: [`https://s.example/${name}`], recordId: recordIdOf(identity) };
        const outcome = converted(article, { runId: at.runId, mode: "LIVE" }, this.ports);
        return { ...outcome, requestId: listedDocumentId(id, identity) };
      }),
      ...(page + 1 < this.pages.length && { nextPage: this.pageRequest(at.runId, page + 1) }),
    });
    const delivery = { send: async ({ runId }: { runId: string }) => void this.deliveries.push(runId) };
    return processListing({ ...at, id }, list, { runs, sources, archive, requests: this.requests, delivery });
  }

  /** A run of the day that has no documents of its own. */
  async deliver(
    runId: string,
    { mode = "LIVE", ...limit }: { mode?: RunMode; maxArticlesOfHarvest?: number } = {},
  ): Promise<void> {
    harvested(this.ports, runId, [], { mode });
    await deliver(runId, Object.assign(this.ports, limit));
    expect(this.ports.runsById.get(runId)?.state).toBe("finished");
  }

  stateOf(harvest: Run): string | undefined {
    return this.ports.runsById.get(harvest.runId)?.state;
  }
}

/** Work that is done again as often as its process is killed. */
async function retried<Result>(ports: MemoryPorts, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      ports.live();
      ports.now = new Date(ports.now.getTime() + 86_400_000);
    }
  }
}

describe("a long harvest", () => {
  let world: ListWorld;
  let harvest: Run;
  beforeEach(async () => {
    world = new ListWorld([["a", "b"], ["c"], ["d", "e"]]);
    harvest = await world.start("monday");
  });

  it("read in part when a delivery begins → its documents join that one, the rest the next ones", async () => {
    await world.read(1);
    await world.deliver("monday");
    expect(deliveredTitles(world.ports)).toEqual(["On a", "On b"]);
    await world.read(1);
    await world.deliver("tuesday");
    expect(deliveredTitles(world.ports)).toEqual(["On a", "On b", "On c"]);
    await world.read();
    expect(world.stateOf(harvest)).toBe("delivering");
    await world.deliver("wednesday");
    expect(deliveredTitles(world.ports)).toEqual(["On a", "On b", "On c", "On d", "On e"]);
    expect(world.stateOf(harvest)).toBe("finished");
    await world.deliver("thursday");
    expect(deliveredTitles(world.ports)).toHaveLength(5);
    const counts = async (runId: string) =>
      (await reportRun(runId, world.ports.runs)).sources.map(({ title, entries, delivered, unanswered }) => [
        title,
        entries,
        delivered,
        unanswered,
      ]);
    expect(await counts("monday")).toEqual([["Source", 2, 2, 0]]);
    expect(await counts("wednesday")).toEqual([["Source", 2, 2, 0]]);
    expect(await counts("thursday")).toEqual([]);
  });

  it("longer than its share of a delivery → that much joins each, and the report says that more follows", async () => {
    await world.read();
    const titles: string[][] = [];
    const notes: (string | undefined)[] = [];
    for (const runId of ["monday", "tuesday", "wednesday"]) {
      await world.deliver(runId, { maxArticlesOfHarvest: 2 });
      titles.push(deliveredTitles(world.ports));
      const { sources } = await reportRun(runId, world.ports.runs);
      notes.push(sources.map(({ reason }) => reason).join());
    }
    expect(titles).toEqual([
      ["On a", "On b"],
      ["On a", "On b", "On c", "On d", "On e"],
      ["On a", "On b", "On c", "On d", "On e"],
    ]);
    expect(notes).toEqual([expect.stringContaining("share of this delivery is reached"), "", ""]);
    expect(world.stateOf(harvest)).toBe("finished");
  });

  it("complete → starts no delivery of its own", async () => {
    await world.read();
    expect(world.stateOf(harvest)).toBe("delivering");
    expect(world.deliveries).toEqual([]);
  });

  it("of three pages → one request in its tally, which only the last page closes", async () => {
    const tally = () => world.ports.tallies.get(`${harvest.runId} ${sourceTallyName(sourceId)}`);
    await world.read(2);
    expect([tally()?.opened.size, tally()?.closed.size]).toEqual([1, 0]);
    await world.read();
    expect([tally()?.opened.size, tally()?.closed.size]).toEqual([1, 1]);
  });

  it("a page of 500 documents → as many writes as a page of one", async () => {
    const writesOf = async (names: string[]) => {
      const large = new ListWorld([["first"], names, ["last"]]);
      await large.start("monday");
      await large.read(1);
      const { runs } = large.ports;
      const calls: string[] = [];
      for (const name of ["updateTally", "saveOutcome", "saveOutcomeBatch", "storeListingResult"] as const) {
        const method = runs[name] as (...given: unknown[]) => Promise<unknown>;
        Object.assign(runs, {
          [name]: (...given: unknown[]) => {
            calls.push(name);
            return method(...given);
          },
        });
      }
      await large.read(1);
      return calls;
    };
    const names = Array.from({ length: 500 }, (_, index) => `n${index}`);
    expect(await writesOf(names)).toEqual(["storeListingResult", "saveOutcomeBatch"]);
    expect(await writesOf(["one"])).toEqual(["storeListingResult", "saveOutcomeBatch"]);
  });

  it("started by every run while it is in progress → one harvest; when it is complete → another", async () => {
    expect((await world.start("monday")).runId).toBe(harvest.runId);
    expect((await world.start("tuesday")).runId).toBe(harvest.runId);
    await world.read();
    expect((await world.start("wednesday")).runId).not.toBe(harvest.runId);
  });

  it("of live sources → joins no delivery to the test system", async () => {
    await world.read(1);
    await world.deliver("trial", { mode: "TEST" });
    expect(deliveredTitles(world.ports)).toEqual([]);
    await world.deliver("monday");
    expect(deliveredTitles(world.ports)).toEqual(["On a", "On b"]);
  });

  it("among the runs that are listed or resumed → not to be found", async () => {
    await world.deliver("monday");
    expect((await world.ports.runs.listUnfinished("LIVE")).length).toBe(0);
    expect((await world.ports.runs.listLatest("LIVE", { limit: 9 })).map(({ runId }) => runId)).toEqual([
      "monday",
    ]);
  });

  it("whose time is over → ended by the next delivery, with what it has found; later pages are not read", async () => {
    await world.read(1);
    world.ports.now = new Date(Date.parse(harvest.deadlineAt));
    await world.deliver("later");
    expect(deliveredTitles(world.ports)).toEqual(["On a", "On b"]);
    expect(world.stateOf(harvest)).toBe("finished");
    await world.read();
    await world.deliver("much later");
    expect(deliveredTitles(world.ports)).toEqual(["On a", "On b"]);
  });
});

it("a document on two pages of a list → delivered once", async () => {
  for (const pages of [
    [["a", "b"], ["b"]],
    [["a", "b", "c"], ["c", "d"], ["a"]],
  ]) {
    const world = new ListWorld(pages);
    await world.start("monday");
    await world.read();
    await world.deliver("monday");
    const names = [...new Set(pages.flat())].sort();
    expect(deliveredTitles(world.ports)).toEqual(names.map((name) => `On ${name}`));
  }
});

it("killed at any write of a long harvest and its deliveries → every document delivered exactly once", async () => {
  let kills = 0;
  for (const before of [true, false]) {
    for (let writes = 0; ; writes += 1) {
      const world = new ListWorld([["a", "b"], ["c"], ["d"]]);
      const { ports } = world;
      const startedAt = ports.now;
      ports.dieAfter(writes, { before });
      const harvest = await retried(ports, () => world.start("monday"));
      await world.read(2);
      await world.deliver("monday");
      await world.read();
      await world.deliver("tuesday");
      const when = `killed ${before ? "before" : "after"} write ${writes}`;
      expect(deliveredTitles(ports), when).toEqual(["On a", "On b", "On c", "On d"]);
      expect(world.stateOf(harvest), when).toBe("finished");
      if (ports.now === startedAt) break;
      kills += 1;
    }
  }
  expect(kills).toBeGreaterThan(80);
});
