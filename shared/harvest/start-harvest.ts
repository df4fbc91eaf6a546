import type { ArchiveStore } from "../archive/archive-store.ts";
import type { Clock } from "../core/clock.ts";
import { digest } from "../core/digest.ts";
import { inParallel } from "../core/in-parallel.ts";
import { closeSource, sourcesTallyName, sourceTallyName } from "../runs/completion.ts";
import type { Deadlines } from "../runs/deadlines.ts";
import { buildRunId, failedSourceOutcome, type Run, type RunStart } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { StageQueue } from "../runs/stages.ts";
import type { Source } from "../sources/source.ts";
import type { SourceStatusStore } from "../sources/source-status.ts";
import type { SourceStore, UnusableSource } from "../sources/source-store.ts";
import type { RequestQueue } from "../web/gate/request.ts";
import type { MailReadingQueue } from "./email/received-mail.ts";
import { finishListing } from "./listing/finish-listing.ts";
import { emptyListingResult } from "./listing/listing-results.ts";
import { claimNewRequests, selectArticles } from "./listing/select-articles.ts";
import { planStart } from "./start-plan.ts";

export interface StartHarvestPorts {
  sources: SourceStore;
  status: SourceStatusStore;
  runs: RunStore;
  archive: Pick<ArchiveStore, "knownReasons">;
  requests: RequestQueue;
  deadlines: Deadlines;
  delivery: StageQueue;
  mail: MailReadingQueue;
  clock: Clock;
  runDeadlineMinutes: number;
}

/** What the start itself has to tell of a source. */
const startListingId = "start";

/** Sources opened at the same time. */
const maxParallelSources = 16;

/**
 * Opens a run and asks for the first page of each of its sources. A repeated start of a run that has got past its start
 * changes nothing; one that broke off on the way is finished.
 */
export async function startHarvest(start: RunStart, ports: StartHarvestPorts): Promise<void> {
  const now = ports.clock.now();
  const runId = buildRunId(start);
  const run = await ports.runs.create({
    runId,
    deliveryMode: start.deliveryMode,
    state: "starting",
    startedAt: now.toISOString(),
    deadlineAt: new Date(now.getTime() + ports.runDeadlineMinutes * 60_000).toISOString(),
    ...(start.newest !== undefined && { newest: start.newest }),
  });
  if (run.state !== "starting") return;

  const { sources, failed } = await selectSources(start, ports);
  const sourceIds = [...sources, ...failed].map(({ sourceId }) => sourceId);
  if (sourceIds.length === 0) {
    await ports.delivery.send({ runId });
    await ports.runs.changeState(runId, ["starting"], { state: "harvesting" });
    return;
  }
  await ports.deadlines.schedule(runId, run.deadlineAt);
  await ports.runs.updateTally(runId, sourcesTallyName, { opened: sourceIds });
  await inParallel(failed, maxParallelSources, (source) => failSource(runId, source, ports));
  const groups = await ports.sources.groups();
  await inParallel(sources, maxParallelSources, async (source) => {
    // A source is waited for from its first live run on: nobody misses what is on trial.
    if (run.deliveryMode === "LIVE") await ports.status.markAdded(source.sourceId, run.startedAt);
    await startSource(source, { run, groups }, ports);
  });
  await ports.runs.changeState(runId, ["starting"], { state: "harvesting" });
}

/**
 * The sources of the mode, or those of them that are named; what cannot be harvested apart, with the reason. Who names a
 * source that is new from Zeder means it.
 */
async function selectSources({ deliveryMode, sourceIds }: RunStart, ports: StartHarvestPorts) {
  if (sourceIds === undefined) {
    const { sources, unusable } = await ports.sources.sourcesByMode(deliveryMode);
    return { sources, failed: unusable };
  }
  const ids = [...new Set(sourceIds)];
  const named = await ports.sources.sourcesById(ids);
  const sources = named.sources.filter(
    (source) => deliveryMode === "NONE" || source.deliveryMode === deliveryMode,
  );
  const known = new Set([...sources, ...named.unusable].map(({ sourceId }) => sourceId));
  const missing = ids
    .filter((sourceId) => !known.has(sourceId))
    .map((sourceId) => ({
      sourceId,
      title: sourceId,
      problem: `there is no ${deliveryMode === "NONE" ? "" : `${deliveryMode} `}source ${sourceId}`,
    }));
  return { sources, failed: [...named.unusable, ...missing] };
}

async function startSource(
  source: Source,
  { run, groups: { groups, unusable } }: { run: Run; groups: Awaited<ReturnType<SourceStore["groups"]>> },
  ports: StartHarvestPorts,
): Promise<void> {
  const { sourceId } = source;
  const { runId } = run;
  const fail = (problem: string) => failSource(runId, { ...source, problem }, ports);
  const open = (...ids: string[]) =>
    ports.runs.updateTally(runId, sourceTallyName(sourceId), { opened: ids });
  const isOwner = ({ groupId }: { groupId: string }) => groupId === source.groupId;
  const group = groups.find(isOwner);
  if (group === undefined) {
    const problem = unusable.find(isOwner)?.problem;
    return fail(
      problem === undefined ? `there is no group ${source.groupId}` : `group ${source.groupId}: ${problem}`,
    );
  }
  const plan = planStart(source, { run, group });
  switch (plan.type) {
    case "problem":
      return fail(plan.problem);
    case "listings": {
      // Claimed as well: a page that leads back to where a crawl began must not ask for it once more.
      const at = { runId, sourceId, listingId: startListingId };
      const requests = await claimNewRequests(plan.requests, at, ports.runs);
      await open(...requests.map(({ id }) => id));
      return ports.requests.send(requests);
    }
    case "page": {
      await open(startListingId);
      const from = { run, ...source, listingId: startListingId, requestPolicy: plan.requestPolicy };
      const list = async () => {
        const listing = await selectArticles([plan.entry], from, ports);
        const translation = { returnsChoices: true };
        return {
          ...listing,
          articleRequests: listing.articleRequests.map((request) => ({ ...request, translation })),
        };
      };
      return finishListing(list, { run, runId, sourceId, id: startListingId }, ports);
    }
    case "search": {
      const outcome = { ...emptyListingResult(source).outcome, entries: 1, requested: 1 };
      await ports.runs.saveListingOutcome(runId, startListingId, outcome);
      await open(plan.request.id);
      return ports.requests.send([plan.request]);
    }
    case "mail": {
      const id = digest(runId, sourceId, "mail");
      await open(id);
      return ports.mail.send({ id, runId, sourceId });
    }
  }
}

async function failSource(
  runId: string,
  { sourceId, title, problem }: UnusableSource,
  ports: StartHarvestPorts,
): Promise<void> {
  await ports.runs.saveListingOutcome(
    runId,
    startListingId,
    failedSourceOutcome({ sourceId, title }, problem),
  );
  await closeSource(runId, sourceId, ports);
}
