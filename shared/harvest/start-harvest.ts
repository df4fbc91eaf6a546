import type { Clock } from "../core/clock.ts";
import { digest } from "../core/digest.ts";
import { inParallel } from "../core/in-parallel.ts";
import type {
  ArchiveStore,
  Deadlines,
  MailReadings,
  Requests,
  RunStore,
  SourceStatusStore,
  SourceStore,
  StageQueue,
  UnusableSource,
} from "../ports.ts";
import type { Source } from "../sources/source.ts";
import { closeSource, sourcesTally, sourceTally } from "./completion.ts";
import { beginningOf } from "./first-requests.ts";
import { claimed, concludeListing, emptyListing, listArticles } from "./listing.ts";
import { failedSource, type Run, type RunStart, runIdOf } from "./run.ts";

export interface StartHarvestPorts {
  sources: SourceStore;
  status: SourceStatusStore;
  runs: RunStore;
  archive: Pick<ArchiveStore, "known">;
  requests: Requests;
  deadlines: Deadlines;
  delivery: StageQueue;
  mail: MailReadings;
  clock: Clock;
  runDeadlineMinutes: number;
}

/** What the start itself has to tell of a source. */
const startListing = "start";

/** Sources opened at the same time. */
const sourcesAtOnce = 16;

/**
 * Opens a run and asks for the first page of each of its sources. A repeated start of a run that has got past its start
 * changes nothing; one that broke off on the way is finished.
 */
export async function startHarvest(start: RunStart, ports: StartHarvestPorts): Promise<void> {
  const now = ports.clock.now();
  const runId = runIdOf(start);
  const run = await ports.runs.create({
    runId,
    deliveryMode: start.deliveryMode,
    state: "starting",
    startedAt: now.toISOString(),
    deadlineAt: new Date(now.getTime() + ports.runDeadlineMinutes * 60_000).toISOString(),
    ...(start.newest !== undefined && { newest: start.newest }),
  });
  if (run.state !== "starting") return;

  const { sources, failed } = await wantedSources(start, ports);
  const sourceIds = [...sources, ...failed].map(({ sourceId }) => sourceId);
  if (sourceIds.length === 0) {
    await ports.delivery.send({ runId });
    await ports.runs.move(runId, ["starting"], { state: "harvesting" });
    return;
  }
  await ports.deadlines.set(runId, run.deadlineAt);
  await ports.runs.count(runId, sourcesTally, { opened: sourceIds });
  await inParallel(failed, sourcesAtOnce, (source) => failSource(runId, source, ports));
  const groups = await ports.sources.groups();
  await inParallel(sources, sourcesAtOnce, async (source) => {
    // A source is waited for from its first live run on: nobody misses what is on trial.
    if (run.deliveryMode === "LIVE") await ports.status.added(source.sourceId, run.startedAt);
    await openSource(source, { run, groups }, ports);
  });
  await ports.runs.move(runId, ["starting"], { state: "harvesting" });
}

/**
 * The sources of the mode, or those of them that are named; what cannot be harvested apart, with the reason. Who names a
 * source that is new from Zeder means it.
 */
async function wantedSources({ deliveryMode, sourceIds }: RunStart, ports: StartHarvestPorts) {
  if (sourceIds === undefined) {
    const { sources, unusable } = await ports.sources.sourcesOf(deliveryMode);
    return { sources, failed: unusable };
  }
  const ids = [...new Set(sourceIds)];
  const named = await ports.sources.sourcesNamed(ids);
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

async function openSource(
  source: Source,
  { run, groups: { groups, unusable } }: { run: Run; groups: Awaited<ReturnType<SourceStore["groups"]>> },
  ports: StartHarvestPorts,
): Promise<void> {
  const { sourceId } = source;
  const { runId } = run;
  const fail = (problem: string) => failSource(runId, { ...source, problem }, ports);
  const open = (...ids: string[]) => ports.runs.count(runId, sourceTally(sourceId), { opened: ids });
  const isOwner = ({ groupId }: { groupId: string }) => groupId === source.groupId;
  const group = groups.find(isOwner);
  if (group === undefined) {
    const problem = unusable.find(isOwner)?.problem;
    return fail(
      problem === undefined ? `there is no group ${source.groupId}` : `group ${source.groupId}: ${problem}`,
    );
  }
  const beginning = beginningOf(source, { run, group });
  switch (beginning.type) {
    case "problem":
      return fail(beginning.problem);
    case "listings": {
      // Claimed as well: a page that leads back to where a crawl began must not ask for it once more.
      const at = { runId, sourceId, listingId: startListing };
      const requests = await claimed(beginning.requests, at, ports.runs);
      await open(...requests.map(({ id }) => id));
      return ports.requests.send(requests);
    }
    case "page": {
      await open(startListing);
      const from = { run, ...source, listingId: startListing, manners: beginning.manners };
      const list = async () => {
        const listing = await listArticles([beginning.entry], from, ports);
        const translation = { tellsChoices: true };
        return { ...listing, articles: listing.articles.map((request) => ({ ...request, translation })) };
      };
      return concludeListing(list, { run, runId, sourceId, id: startListing }, ports);
    }
    case "search": {
      const outcome = { ...emptyListing(source).outcome, entries: 1, requested: 1 };
      await ports.runs.saveListing(runId, startListing, outcome);
      await open(beginning.request.id);
      return ports.requests.send([beginning.request]);
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
  await ports.runs.saveListing(runId, startListing, failedSource({ sourceId, title }, problem));
  await closeSource(runId, sourceId, ports);
}
