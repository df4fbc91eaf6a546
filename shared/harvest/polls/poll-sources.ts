import { Failures } from "../../core/failures.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { isReadToEnd } from "../../formats/oai/completeness.ts";
import type { Events } from "../../records/events/events.ts";
import { harvestIdOf } from "../../records/runs/long-harvest.ts";
import { announceSource } from "../../records/sources/added-sources.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import { type DeliveryMode, deliveryModes } from "../../records/sources/delivery-mode.ts";
import type { Group } from "../../records/sources/group.ts";
import { readingOf } from "../../records/sources/reading.ts";
import type { Source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { startOaiHarvest } from "../oai/start.ts";
import type { OaiHarvestState } from "../oai-state/harvest-state.ts";
import { isUndelivered, listKeyOf } from "../oai-state/plan-list.ts";
import { settlePoll } from "./settle-poll.ts";
import { type StartPollPorts, startPoll } from "./start-poll.ts";

interface PollPorts extends StartPollPorts {
  sources: Pick<SourceStore, "sourcesByMode" | "groups">;
  /** For sources of which no event has said that they are new. */
  configuration: Pick<ConfigurationStore, "item" | "noteAnnounced">;
  events: Events;
}

/** The harvests that a poll has started, by source, and the sources that it could not start. */
export interface PollSummary {
  started: string[];
  failed: { sourceId: string; problem: string }[];
}

/** The time after which a source that is read once is read again, if its list was not complete. */
const retryAfterMinutes = 60;

const minuteMs = 60_000;
const maxParallelSources = 16;

/**
 * Starts the harvests of the sources that polls read and that are due. If a harvest is already in progress, no other
 * one is started, so that a repeated poll starts nothing twice. A source that cannot be started does not block the
 * others. If a source was added and the event that it is new is still unpublished, that is published first.
 * @param at the scheduled time
 */
export async function pollSources(at: Date, ports: PollPorts): Promise<PollSummary> {
  const summary: PollSummary = { started: [], failed: [] };
  const { groups } = await ports.sources.groups();
  const failures = new Failures();
  for (const deliveryMode of deliveryModes) {
    const { sources } = await ports.sources.sourcesByMode(deliveryMode);
    const unannounced = sources.filter(({ isUnannounced }) => isUnannounced);
    await inParallel(unannounced, maxParallelSources, ({ sourceId }) =>
      failures.try(sourceId, () => announceSource(sourceId, ports)),
    );
    const polled = sources.flatMap((source) => {
      const reading = readingOf(source);
      return reading === undefined ? [] : [{ ...source, reading }];
    });
    const results = await inParallel(polled, maxParallelSources, async (source) => ({
      sourceId: source.sourceId,
      result: await failures.try(source.sourceId, () =>
        pollSource(source, { at, deliveryMode, groups }, ports),
      ),
    }));
    for (const { sourceId, result } of results) {
      if (result === "started") summary.started.push(sourceId);
      else if (result !== undefined) summary.failed.push({ sourceId, ...result });
    }
  }
  failures.throwAny((ids) => `these sources could not be polled: ${ids.join(", ")}`);
  return summary;
}

/**
 * Polls a source.
 * @returns undefined when no harvest needs to start
 */
async function pollSource(
  source: Source,
  { at, deliveryMode, groups }: { at: Date; deliveryMode: DeliveryMode; groups: Group[] },
  ports: PollPorts,
): Promise<"started" | { problem: string } | undefined> {
  const { groupId, type } = source;
  if (!(await isFree(source, at, ports))) return undefined;
  const group = groups.find((each) => each.groupId === groupId);
  if (group === undefined) return { problem: `there is no group ${groupId}` };
  await finishEmptyPoll(source, at, ports);
  const startedAt = at.toISOString();
  const runId = `poll-${deliveryMode.toLowerCase()}-${startedAt.replaceAll(/[:.]/g, "-")}`;
  const start = { runId, deliveryMode, startedAt };
  await (type === "OAI-PMH" ? startOaiHarvest : startPoll)(source, group, start, ports);
  return "started";
}

/**
 * Finishes the latest poll of a source if it contains nothing for a delivery, because each delivery examines all
 * unfinished polls.
 */
async function finishEmptyPoll(
  { sourceId }: Source,
  at: Date,
  { oaiHarvests, runs }: PollPorts,
): Promise<void> {
  const startedBy = (await oaiHarvests.get(sourceId))?.startedBy;
  const harvest = startedBy && (await runs.get(harvestIdOf(sourceId, startedBy)));
  if (harvest?.state !== "delivering") return;
  // No delivery takes data that were read without a delivery.
  if (harvest.deliveryMode !== "NONE")
    for await (const { outcomes } of runs.undeliveredBatches(harvest.runId)) if (outcomes.length > 0) return;
  const finishedAt = at.toISOString();
  await runs.changeState(harvest.runId, ["delivering"], { state: "finished", finishedAt });
}

async function isFree(source: Source, at: Date, ports: PollPorts): Promise<boolean> {
  const state = await ports.oaiHarvests.get(source.sourceId);
  if (state === undefined || source.type === "OAI-PMH") return isDue(source, state, at);
  const poll = await settlePoll(source, state, at, ports);
  if (poll.type === "unstarted") return true;
  return poll.type === "free" && isDue(source, poll.state, at);
}

/**
 * Decides whether a source is due, because its interval has passed since its last list ended, or because it has not
 * been read completely.
 */
export function isDue(
  source: Pick<Source, "url" | "oai" | "reading"> & Partial<Pick<Source, "deliveryMode">>,
  state: OaiHarvestState | undefined,
  at: Date,
): boolean {
  const { reading } = source;
  const { last, listKey } = state ?? {};
  if (reading === undefined) return false;
  if (last?.isStopped) return reading.mode === "asynchronous" && hasPassed(last.at, reading.everyMinutes, at);
  if (last === undefined || listKey === undefined) return hasPassed(last?.at, retryAfterMinutes, at);
  const isOfThisList = listKey === listKeyOf(source);
  if (isOfThisList && isUndelivered(source, state)) return hasPassed(last.at, retryAfterMinutes, at);
  if (reading.mode === "asynchronous") return !isOfThisList || hasPassed(last.at, reading.everyMinutes, at);
  if (isOfThisList && isReadToEnd(last.completeness)) return false;
  return hasPassed(isOfThisList ? last.at : undefined, retryAfterMinutes, at);
}

function hasPassed(since: string | undefined, minutes: number, at: Date): boolean {
  return since === undefined || at.getTime() - Date.parse(since) >= minutes * minuteMs;
}
