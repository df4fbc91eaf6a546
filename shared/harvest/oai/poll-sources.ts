import type { DeliveryMode, Source } from "../../sources/source.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import type { StartSourcePorts } from "../start-source.ts";
import { listKeyOf, type OaiHarvestState, type OaiHarvestStore } from "./harvest-state.ts";
import { startOaiHarvest } from "./start.ts";

export interface PollPorts extends Pick<StartSourcePorts, "runs" | "requests"> {
  sources: Pick<SourceStore, "sourcesByMode" | "group">;
  oaiHarvests: OaiHarvestStore;
}

/** What a poll has started, by source, and which sources it could not start. */
export interface PollSummary {
  started: string[];
  failed: { sourceId: string; problem: string }[];
}

const polledModes: readonly Exclude<DeliveryMode, "NONE">[] = ["LIVE", "TEST"];

/** A source that is read once, and whose list was not complete, is read again after this time. */
const retryAfterMinutes = 60;

const minuteMs = 60_000;

/**
 * Starts the harvests of the sources that are read on their own and are due. A harvest that is under way is joined, so that
 * a repeated poll starts nothing twice. A source that cannot be started does not stop the others.
 * @param at the scheduled time
 */
export async function pollSources(at: Date, ports: PollPorts): Promise<PollSummary> {
  const summary: PollSummary = { started: [], failed: [] };
  for (const deliveryMode of polledModes) {
    const { sources } = await ports.sources.sourcesByMode(deliveryMode);
    const polled = sources.filter(({ type, reading }) => type === "OAI-PMH" && reading !== undefined);
    for (const source of polled) await pollSource(source, { at, deliveryMode, summary }, ports);
  }
  return summary;
}

async function pollSource(
  source: Source,
  { at, deliveryMode, summary }: { at: Date; deliveryMode: "LIVE" | "TEST"; summary: PollSummary },
  ports: PollPorts,
): Promise<void> {
  const { sourceId, groupId } = source;
  if (!isDue(source, await ports.oaiHarvests.get(sourceId), at)) return;
  const group = await ports.sources.group(groupId);
  if (group === undefined) {
    summary.failed.push({ sourceId, problem: `there is no group ${groupId}` });
    return;
  }
  const startedAt = at.toISOString();
  const runId = `poll-${deliveryMode.toLowerCase()}-${startedAt.replaceAll(/[:.]/g, "-")}`;
  await startOaiHarvest(source, group, { runId, deliveryMode, startedAt }, ports);
  summary.started.push(sourceId);
}

/** Whether a source is to be read: its interval is over since its last list ended, or it has not been read completely. */
export function isDue(
  source: Pick<Source, "url" | "oai" | "reading">,
  state: OaiHarvestState | undefined,
  at: Date,
): boolean {
  const { reading } = source;
  const { last, listKey } = state ?? {};
  if (reading === undefined) return false;
  if (last?.isStopped) return reading.mode === "asynchronous" && hasPassed(last.at, reading.everyMinutes, at);
  if (last === undefined || listKey === undefined) return hasPassed(last?.at, retryAfterMinutes, at);
  const isOfThisList = listKey === listKeyOf(source);
  if (reading.mode === "asynchronous") return !isOfThisList || hasPassed(last.at, reading.everyMinutes, at);
  if (isOfThisList && last.completeness.type === "complete") return false;
  return hasPassed(isOfThisList ? last.at : undefined, retryAfterMinutes, at);
}

function hasPassed(since: string | undefined, minutes: number, at: Date): boolean {
  return since === undefined || at.getTime() - Date.parse(since) >= minutes * minuteMs;
}
