import { beforeEach, describe, expect, it } from "vitest";
import { awaitCheck } from "../../../shared/check-set/await-check.ts";
import { type CheckRun, type CheckStore, parseCheck, stateOf } from "../../../shared/check-set/check-run.ts";
import { readCheckedPage } from "../../../shared/check-set/read-checked-page.ts";
import { startCheck } from "../../../shared/check-set/start-check.ts";
import { RemoteError } from "../../../shared/core/errors.ts";
import { type NewRequest, outboundRequest } from "../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import { list, record, relation } from "./repository.ts";

const minuteMs = 60_000;

/** The ports in memory, and what they saw. */
class World {
  ms = Date.parse("2026-11-22T20:05:00Z");
  sent: NewRequest[] = [];
  isPublished = async () => false;
  private readonly runs = new Map<string, CheckRun>();
  private readonly latestIds = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  readonly clock = {
    now: () => new Date(this.ms),
    sleep: async (ms: number) => {
      this.ms += ms;
    },
  };
  readonly requests = { send: async (requests: NewRequest[]) => void this.sent.push(...requests) };
  readonly published = { isPublished: () => this.isPublished() };
  readonly bodies = { load: async (key: string) => Buffer.from(key) };
  readonly checks: CheckStore = {
    get: async (id) => structuredClone(this.runs.get(id)),
    latest: async (key) => structuredClone(this.runs.get(this.latestIds.get(key) ?? "")),
    start: async (run, replaced) => {
      if (this.latestIds.get(run.shareKey) !== replaced?.checkId) return false;
      this.runs.set(run.checkId, run);
      this.latestIds.set(run.shareKey, run.checkId);
      return true;
    },
    advance: async (run, pagesBefore) => {
      const stored = this.runs.get(run.checkId);
      if (stored?.counted.list.pages !== pagesBefore || stored.result !== undefined) return false;
      this.runs.set(run.checkId, structuredClone(run));
      return true;
    },
    countCheck: async ({ caller, hour, most }) => {
      const key = `${hour} ${caller}`;
      const count = this.counts.get(key) ?? 0;
      if (count < most) this.counts.set(key, count + 1);
      return count < most;
    },
  };
}

let world: World;
beforeEach(() => {
  world = new World();
});

const check = parseCheck({ set: "https://a.example/oai?verb=ListRecords&set=maps" });
const limits = { perCaller: 2, inTotal: 3 };
const start = (given: { caller?: string; set?: string } = {}) =>
  startCheck(
    { ...(given.set ? parseCheck({ set: given.set }) : check), caller: given.caller },
    limits,
    world,
  );

async function startedRun(): Promise<CheckRun> {
  const started = await start();
  if (started.type !== "run") throw new Error(started.type);
  return started.run;
}

/** The response to a request, with this body. */
function respondTo(request: NewRequest | undefined, body: string): InboundResponse {
  if (request === undefined) throw new Error("there is no request");
  const { url } = request;
  const outcome = {
    type: "answered" as const,
    status: 200,
    url,
    hops: [{ url, status: 200 }],
    headers: {},
    bodyKey: body,
    elapsedMs: 1,
  };
  return { request: outboundRequest.parse(request), outcome };
}

const one = record(1, relation("ark:/80444/xv1"));

describe("a run", () => {
  it("each page's message twice → each page counted once, and the same next request", async () => {
    const { checkId } = await startedRun();
    for (const [page, body] of [list(one, "t1"), list(one + one, "t2"), list(one)].entries()) {
      const response = respondTo(world.sent.at(-1), body);
      await readCheckedPage(response, world);
      const [request] = world.sent.slice(-1);
      await readCheckedPage(response, world);
      expect(world.sent.at(-1)?.id, `page ${page}`).toBe(request?.id);
    }
    expect((await world.checks.get(checkId))?.result).toEqual({ type: "count", count: 4 });
    expect(new Set(world.sent.map(({ id }) => id)).size).toBe(3);
  });

  it("two workers with one page → one count, and the list continues", async () => {
    const { checkId } = await startedRun();
    const response = respondTo(world.sent[0], list(one, "t1"));
    await Promise.all([readCheckedPage(response, world), readCheckedPage(response, world)]);
    expect((await world.checks.get(checkId))?.counted).toMatchObject({
      count: 1,
      token: "t1",
      list: { pages: 1 },
    });
    expect(world.sent.at(-1)?.url).toBe("https://a.example/oai?verb=ListRecords&resumptionToken=t1");
  });

  it("killed between the count and the next request → the repeated message sends it", async () => {
    await startedRun();
    const response = respondTo(world.sent[0], list(one, "t1"));
    const killed = { ...world, requests: { send: () => Promise.reject(new Error("killed")) } };
    await expect(readCheckedPage(response, killed)).rejects.toThrow("killed");
    await readCheckedPage(response, world);
    expect(world.sent.at(-1)?.url).toContain("resumptionToken=t1");
  });

  it("killed before the first request → whoever joins sends it", async () => {
    const killed = { ...world, requests: { send: () => Promise.reject(new Error("killed")) } };
    await expect(startCheck(check, limits, killed)).rejects.toThrow("killed");
    await start();
    expect(world.sent).toHaveLength(1);
  });

  it("a token that is too long for a request → an error", async () => {
    const { checkId } = await startedRun();
    await readCheckedPage(respondTo(world.sent[0], list(one, "x".repeat(9000))), world);
    expect((await world.checks.get(checkId))?.result).toMatchObject({ error: "other" });
  });

  it("no page for hours → says that it has stopped", async () => {
    const run = await startedRun();
    expect(stateOf(run, world.clock.now())).toEqual({ type: "progress", records: 0 });
    world.ms += 3 * 60 * minuteMs;
    expect(stateOf(run, world.clock.now())).toMatchObject({ type: "error", error: "other" });
  });

  it("a run that is unknown → the message fails", async () => {
    const request = {
      id: "x",
      kind: "set-check" as const,
      url: "https://a.example/",
      context: { checkId: "none", page: 0 },
    };
    await expect(readCheckedPage(respondTo(request, ""), world)).rejects.toThrow("checkId");
  });
});

describe("startCheck", () => {
  it.each([
    ["whose page waits for its turn", false, 0, 1],
    ["whose page waits for its turn", false, 60, 1],
    ["whose page is lost", false, 61, 2],
    ["with a result", true, 10, 1],
    ["with a result", true, 11, 2],
  ])("a run %s (result: %s), again after %i minutes → %i runs", async (_title, isRead, minutes, runs) => {
    await start();
    if (isRead) await readCheckedPage(respondTo(world.sent[0], list(one)), world);
    world.ms += minutes * minuteMs;
    await start();
    expect(new Set(world.sent.map(({ id }) => id)).size).toBe(runs);
  });

  it("a run that is still being read after an hour → shared", async () => {
    const { checkId } = await startedRun();
    world.ms += 60 * minuteMs;
    await readCheckedPage(respondTo(world.sent[0], list(one, "t1")), world);
    world.ms += 5 * minuteMs;
    expect((await startedRun()).checkId).toBe(checkId);
  });

  it("two at once → one run", async () => {
    const [a, b] = await Promise.all([startedRun(), startedRun()]);
    expect(a.checkId).toBe(b.checkId);
  });

  it("an anonymous caller → so many runs an hour, each and together; shared ones are free", async () => {
    const ask = async (caller: string | undefined, spec: string) =>
      (await start({ ...(caller && { caller }), set: `https://a.example/oai?set=${spec}` })).type;
    expect(await ask("a", "1")).toBe("run");
    expect(await ask("a", "2")).toBe("run");
    expect(await ask("a", "3")).toBe("limited");
    expect(await ask("a", "1")).toBe("run");
    expect(await ask("b", "4")).toBe("run");
    expect(await ask("c", "5")).toBe("limited");
    expect(await ask(undefined, "6")).toBe("run");
    expect(await start({ caller: "a", set: "https://a.example/oai?set=7" })).toEqual({
      type: "limited",
      retryAfterSeconds: 3300,
    });
    world.ms += 60 * minuteMs;
    expect(await ask("a", "7")).toBe("run");
  });

  it("the register does not answer → nothing is started", async () => {
    world.isPublished = () => Promise.reject(new RemoteError("down"));
    await expect(start()).rejects.toThrow(RemoteError);
    expect(world.sent).toEqual([]);
  });
});

describe("awaitCheck", () => {
  it("a run without a result → waits until the time, by pauses that grow to a second", async () => {
    const run = await startedRun();
    const startedMs = world.ms;
    let reads = 0;
    const checks = {
      get: async (id: string) => {
        reads += 1;
        return world.checks.get(id);
      },
    };
    expect(
      (await awaitCheck(run, new Date(startedMs + 24_000), { checks, clock: world.clock })).result,
    ).toBeUndefined();
    expect(world.ms - startedMs).toBeGreaterThan(22_000);
    expect(world.ms - startedMs).toBeLessThanOrEqual(24_000);
    expect(reads).toBeLessThan(35);
  });
});
