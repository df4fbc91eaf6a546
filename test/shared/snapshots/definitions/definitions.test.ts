import { describe, expect, it } from "vitest";
import {
  activate,
  afterBuild,
  afterDeadline,
  deactivate,
} from "../../../../shared/snapshots/definitions/activation.ts";
import { type HarvestDefinition, mayStart } from "../../../../shared/snapshots/definitions/definition.ts";
import { indexName } from "../../../../shared/snapshots/definitions/index-name.ts";
import {
  type HarvestJob,
  isTransition,
  type JobState,
} from "../../../../shared/snapshots/definitions/job.ts";
import { type HarvestHistory, jobsToIndex } from "../../../../shared/snapshots/definitions/job-set.ts";
import { stateAfter } from "../../../../shared/snapshots/index/build/index-answer.ts";

const day = (n: number) => new Date(Date.UTC(2026, 0, n));

function definition(id: string, rest: Partial<HarvestDefinition> = {}): HarvestDefinition {
  return {
    id,
    title: id,
    type: "snapshot",
    seeds: ["http://a.example/"],
    limits: { maxObjects: 10, maxBytes: 1000, maxObjectBytes: 1000, maxDepth: 1, maxMinutes: 5 },
    deduplicate: true,
    deduplicateText: false,
    minimumShare: 0.7,
    isActive: false,
    createdAt: day(1),
    generation: 0,
    jobIds: [],
    history: [],
    ...rest,
  };
}

/** A done job that was started on the day of its id. */
function job(id: number, definitionId: string, rest: Partial<HarvestJob> = {}): HarvestJob {
  return {
    id,
    definitionId,
    state: "done",
    seeds: ["http://a.example/"],
    objects: 1,
    bytes: 1,
    files: [],
    createdAt: day(id),
    startedAt: day(id),
    hasCrawlLog: true,
    ...rest,
  };
}

const jobs = (ids: number[], definitionId: string, rest: Partial<HarvestJob> = {}) =>
  ids.map((id) => job(id, definitionId, rest));

function history(definitions: HarvestDefinition[], ...given: HarvestJob[][]): HarvestHistory {
  return { definitions: new Map(definitions.map((each) => [each.id, each])), jobs: given.flat() };
}

/** The fixture of NetarchiveSuite's own test. */
const upstream = history(
  [
    definition("HD1", { type: "selective" }),
    definition("HD2"),
    definition("HD3", { previous: "HD2" }),
    definition("HD4"),
    definition("HD5", { previous: "HD4" }),
  ],
  jobs([1, 2, 3, 4, 5, 6], "HD1"),
  jobs([7, 8], "HD2"),
  jobs([9, 10], "HD3"),
  jobs([11, 12], "HD4"),
  jobs([13, 14], "HD5"),
);

describe("jobsToIndex", () => {
  it.each([
    ["HD2", []],
    ["HD3", [7, 8]],
    ["HD4", [7, 8, 9, 10]],
    ["HD5", [7, 8, 9, 10, 11, 12]],
  ])("of %s in the fixture of NetarchiveSuite → %j", (id, ids) => {
    expect(jobsToIndex(id, upstream)).toEqual({ type: "jobs", ids });
  });

  it("of a definition that is not there → unknown", () => {
    expect(jobsToIndex("HD9", upstream)).toEqual({ type: "unknown", id: "HD9" });
  });

  it("a draft that never ran, created last → the chain that was executed counts", () => {
    const given = history(
      [
        definition("old"),
        definition("draft", { createdAt: day(20) }),
        definition("new", { createdAt: day(25) }),
      ],
      jobs([1, 2], "old"),
    );
    expect(jobsToIndex("new", given)).toEqual({ type: "jobs", ids: [1, 2] });
  });

  it("a snapshot whose jobs all failed without an answer → does not hide the one before", () => {
    const given = history(
      [definition("old"), definition("dead"), definition("new")],
      jobs([1, 2], "old"),
      jobs([3], "dead", { state: "failed", objects: 0 }),
    );
    expect(jobsToIndex("new", given)).toEqual({ type: "jobs", ids: [1, 2] });
  });

  it("created early, but executed late → ordered by execution", () => {
    const given = history(
      [
        definition("first", { createdAt: day(9) }),
        definition("second", { createdAt: day(2) }),
        definition("new"),
      ],
      jobs([3], "first"),
      jobs([8], "second"),
    );
    expect(jobsToIndex("new", given)).toEqual({ type: "jobs", ids: [8] });
  });

  it("two definitions that are each other's previous → a cycle, named", () => {
    const given = history([definition("a", { previous: "b" }), definition("b", { previous: "a" })]);
    expect(jobsToIndex("a", given)).toEqual({ type: "cycle", ids: ["a", "b", "a"] });
    expect(activate("a", given, day(1))).toEqual({
      type: "refused",
      reason: "Harvest definitions are circular: a → b → a",
    });
  });

  it("an earlier chain with a cycle → named, too", () => {
    const given = history(
      [definition("new"), definition("a", { previous: "b" }), definition("b", { previous: "a" })],
      jobs([1], "a"),
    );
    expect(jobsToIndex("new", given)).toEqual({ type: "cycle", ids: ["a", "b", "a"] });
  });

  it("jobs that have no data → left out; failed ones with a crawl log count", () => {
    const given = history(
      [definition("old"), definition("new", { previous: "old" })],
      [
        job(1, "old"),
        job(2, "old", { state: "failed" }),
        job(3, "old", { state: "failed", hasCrawlLog: false }),
        job(4, "old", { state: "resubmitted" }),
        job(5, "old", { state: "new" }),
      ],
    );
    expect(jobsToIndex("new", given)).toEqual({ type: "jobs", ids: [1, 2] });
  });
});

describe("indexName", () => {
  it.each([
    [[], "empty"],
    [[3, 1, 2, 1], "1-2-3"],
    [[10, 9], "9-10"],
    [[1, 2, 3, 4, 5, 6, 7, 8], "1-2-3-4-d28f2f51ffe4b6d42b3e46a7cd7a72da"],
    [[9, 8, 7, 6, 5, 4, 3, 2, 1], "1-2-3-4-ef8be5d11d2348e3cf689ae6bf0dd6ef"],
  ])("of jobs %j → %s", (ids, name) => {
    expect(indexName(ids)).toBe(name);
  });
});

describe("activate", () => {
  const active = (id: string, given: HarvestHistory) => {
    const activation = activate(id, given, day(30));
    if (activation.type === "refused") throw new Error(activation.reason);
    return activation.definition;
  };

  it("a snapshot on a finished one → its jobs and a generation are fixed, the index is requested", () => {
    expect(active("HD3", upstream)).toMatchObject({
      isActive: true,
      generation: 1,
      index: {
        state: "requested",
        generation: 1,
        jobIds: [7, 8],
        deadline: new Date(day(30).getTime() + 6 * 3_600_000),
      },
    });
  });

  it.each<[string, HarvestHistory, string]>([
    ["does not exist", history([]), "there is no harvest definition new"],
    [
      "names a previous that does not exist",
      history([definition("new", { previous: "gone" })]),
      "Harvest definition new is based on gone, which does not exist",
    ],
    [
      "names a previous without jobs",
      history([definition("new", { previous: "old" }), definition("old")]),
      "Harvest definition new is based on unfinished definition old",
    ],
    ...(["new", "submitted", "started"] as const).map((state): [string, HarvestHistory, string] => [
      `names a previous with a job that is ${state}`,
      history(
        [definition("new", { previous: "old" }), definition("old")],
        [job(1, "old"), job(2, "old", { state })],
      ),
      "Harvest definition new is based on unfinished definition old",
    ]),
    [
      "has a job that was done elsewhere",
      history([definition("new")], [job(1, "new", { uploaded: ["crawl.log"] })]),
      "Harvest definition new has uploaded jobs, so it cannot capture anything itself",
    ],
  ])("a definition that %s → refused", (_title, given, reason) => {
    expect(activate("new", given, day(30))).toEqual({ type: "refused", reason });
  });

  it("without deduplication, or with nothing to index → ready at once", () => {
    const given = history([definition("a"), definition("b", { deduplicate: false })], jobs([1], "a"));
    expect(mayStart(active("b", given))).toBe(true);
    const first = active("a", history([definition("a")]));
    expect(first.index).toMatchObject({ state: "ready", jobIds: [] });
    expect([mayStart(first), mayStart({ ...first, jobIds: [1] }), mayStart(deactivate(first))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("a selective harvest → may start, and builds are not its concern", () => {
    const selective = active("HD1", upstream);
    expect(mayStart(selective)).toBe(true);
    expect(afterBuild(selective, { definitionId: "HD1", generation: 1, missing: [] })).toBeUndefined();
  });

  it("activated twice → the same generation", () => {
    const once = active("HD3", upstream);
    const again: HarvestHistory = {
      definitions: new Map(upstream.definitions).set("HD3", once),
      jobs: upstream.jobs,
    };
    expect(active("HD3", again)).toEqual(once);
  });

  describe("and then", () => {
    const waiting = active("HD5", upstream);
    const answer = { definitionId: "HD5", generation: 1, missing: [] };

    it("a build that begins and ends → building, ready; a repeated answer changes nothing", () => {
      const building = afterBuild(waiting, { definitionId: "HD5", generation: 1, state: "building" });
      expect(building?.index?.state).toBe("building");
      expect(mayStart(building ?? waiting)).toBe(false);
      const index = { name: "i", shards: 2, entries: 3 };
      const ready = afterBuild(building ?? waiting, { ...answer, index });
      expect(ready?.index).toMatchObject({ state: "ready", built: index });
      expect(mayStart(ready ?? waiting)).toBe(true);
      expect(afterBuild(ready ?? waiting, { ...answer, error: "late" })).toBeUndefined();
    });

    it("an answer to an earlier activation → outdated", () => {
      const reactivated = active("HD5", {
        ...upstream,
        definitions: new Map([...upstream.definitions, ["HD5", deactivate(waiting)]]),
      });
      expect(reactivated.generation).toBe(2);
      expect(afterBuild(reactivated, answer)).toBeUndefined();
      expect(afterBuild(deactivate(waiting), answer)).toBeUndefined();
    });

    it.each([
      [[7], 0.7, "ready-partial"],
      [[7, 8], 0.7, "failed"],
      [[7, 8], 0.6, "ready-partial"],
      [[7], 1, "failed"],
    ])("jobs %j of 6 missing, of which the share %d must be there → %s", (missing, minimumShare, state) => {
      const after = afterBuild({ ...waiting, minimumShare }, { ...answer, missing });
      expect(after?.index).toMatchObject({ state, missing });
      expect(after?.isActive).toBe(state !== "failed");
    });

    it("a failed build → deactivated, with the reason", () => {
      const after = afterBuild(waiting, { ...answer, error: "no space" });
      expect(after).toMatchObject({
        isActive: false,
        comment: "The deduplication index could not be built: no space",
      });
      expect(after?.index).toMatchObject({ state: "failed", missing: [] });
      expect(mayStart(after ?? waiting)).toBe(false);
      const missing = [7, 8, 9];
      expect(afterBuild(waiting, { ...answer, missing })?.comment).toBe(
        "The deduplication index could not be built: 3 jobs of 6 cannot be read: 7, 8, 9",
      );
    });

    it("no answer by the deadline → requested again under a new generation; after three, expired", () => {
      expect(afterDeadline(waiting, day(30))).toBeUndefined();
      const second = afterDeadline(waiting, day(31));
      expect(second).toMatchObject({
        isActive: true,
        generation: 2,
        index: { state: "requested", builds: 2 },
      });
      expect(afterBuild(second ?? waiting, answer)).toBeUndefined();
      const third = afterDeadline(second ?? waiting, day(32));
      const last = afterDeadline(third ?? waiting, day(33));
      expect(last).toMatchObject({ isActive: false, index: { state: "expired" } });
      expect(last?.comment).toContain("the last of 3 attempts");
      expect(afterDeadline(last ?? waiting, day(34))).toBeUndefined();
    });
  });
});

describe("stateAfter", () => {
  it.each([
    [10, 0, "ready"],
    [10, 3, "ready-partial"],
    [10, 4, "failed"],
    [0, 0, "ready"],
  ])("of %i jobs, %i missing → %s", (count, missing, state) => {
    const ids = Array.from({ length: count }, (_, index) => index);
    expect(stateAfter({ jobIds: ids }, { missing: ids.slice(0, missing) })).toBe(state);
  });
});

describe("isTransition", () => {
  const allowed: [JobState, JobState[]][] = [
    ["new", ["submitted", "started", "done", "failed"]],
    ["submitted", ["started", "done", "failed", "resubmitted"]],
    ["started", ["done", "failed"]],
    ["done", []],
    ["failed", ["resubmitted"]],
    ["resubmitted", []],
  ];
  it.each(allowed)("from %s → %j alone", (from, to) => {
    const all = allowed.map(([state]) => state);
    expect(all.filter((state) => isTransition(from, state)).sort()).toEqual([...to].sort());
  });
});
