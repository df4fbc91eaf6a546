import { beforeEach, describe, expect, it } from "vitest";
import { resumeRuns } from "../../../../shared/deliver/pipeline/resume.ts";
import { validateRun } from "../../../../shared/deliver/validate/validate.ts";
import { readArticleResponse } from "../../../../shared/harvest/article/read-article-response.ts";
import { readFeedResponse } from "../../../../shared/harvest/rss/read-feed-response.ts";
import { startHarvest } from "../../../../shared/harvest/start-harvest.ts";
import { type Stage, type StageQueue, stages } from "../../../../shared/records/runs/stages.ts";
import { sourcesTallyName } from "../../../../shared/records/runs/tally-names.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { feed, page, ReaderWorld, runId, start } from "../../harvest/reader-world.ts";

let world: ReaderWorld;
/** Reads the articles but for the last so many. Then the named tallies lose what was closed in them last. */
async function harvest({ unread = 0, lost }: { unread?: number; lost: RegExp[] }): Promise<void> {
  const theFeed = world.requestOf("feed")[0] as NewRequest;
  await readFeedResponse(world.respond(theFeed, feed("/1", "/2", "/3")), world.ports());
  const requests = world.requestOf("article");
  for (const request of requests.slice(0, requests.length - unread))
    await readArticleResponse(world.respond(request, page(request.url)), world.ports());
  world.deliveries.length = 0;
  for (const pattern of lost) {
    const [tally] = [...world.memory.tallies].flatMap(([name, each]) => (pattern.test(name) ? [each] : []));
    const last = [...(tally?.closed ?? [])].at(-1);
    expect(tally?.closed.delete(last ?? "")).toBe(true);
  }
}
const ofPart = / source#a#/;
const ofSource = / source#a$/;
const ofSources = / sources$/;
beforeEach(async () => {
  world = new ReaderWorld();
  world.addSource("a");
  await startHarvest(start, world.ports());
});

const openSources = () => world.memory.runs.openIds(runId, sourcesTallyName);
/** The next start of the mode, before the run's deadline. */
async function startAgain(): Promise<void> {
  const { delivery } = world.ports();
  const stageQueues = Object.fromEntries(stages.map((stage) => [stage, delivery])) as Record<
    Stage,
    StageQueue
  >;
  await resumeRuns("LIVE", { runs: world.memory.runs, stageQueues, clock: world.memory.clock });
}

describe("a tally that has lost updates", () => {
  it.each([
    ["of a part", [ofPart, ofSource, ofSources]],
    ["of a source", [ofSource, ofSources]],
    ["of the sources", [ofSources]],
  ])("%s, all outcomes are stored → the next start has the run delivered", async (_whose, lost) => {
    await harvest({ lost });
    expect(await openSources()).toEqual(["a"]);
    await startAgain();
    expect(await openSources()).toEqual([]);
    expect(world.deliveries).toEqual([runId]);
  });

  it("and an article that has no outcome → the run waits for it, and for no other", async () => {
    await harvest({ lost: [ofPart], unread: 1 });
    await startAgain();
    expect(world.deliveries).toEqual([]);
    const last = world.requestOf("article").at(-1) as NewRequest;
    await readArticleResponse(world.respond(last, page("Last")), world.ports());
    expect(world.deliveries).toEqual([runId]);
  });

  it("at the deadline → reconciled before the run is given up", async () => {
    await harvest({ lost: [ofPart, ofSource, ofSources] });
    const { runs, records, rules, refusedRecords, archive, clock } = world.memory;
    await validateRun(
      { runId },
      {
        ...{ runs, records, rules, refusedRecords, archive, clock },
        next: { send: async () => {} },
        partsQueue: { send: async () => {} },
      },
    );
    expect(await openSources()).toEqual([]);
  });

  it("a run that nothing has answered yet → nothing is closed", async () => {
    await startAgain();
    expect(await openSources()).toEqual(["a"]);
    expect(world.deliveries).toEqual([]);
  });
});
