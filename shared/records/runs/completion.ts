import * as z from "zod";
import { parseInput } from "../../core/schema-problems.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import { endLongHarvest } from "./long-harvest.ts";
import type { RunStore } from "./run-store.ts";
import type { StageQueue } from "./stages.ts";
import { partTallyName, sourcesTallyName, sourceTallyName } from "./tally-names.ts";

/**
 * Articles counted in one part. Each update pays for the whole item, per KiB: the ids of 32 articles, opened and closed, are
 * one. An item also takes 1,000 units per second at most, and 400 KB.
 */
const articlesInPart = 32;

/** The same for a page of a crawl, as the tally of the source names the parts of 5,000 pages. */
const articlesInPartOfCrawl = 500;

/**
 * The part that counts an article of a listing (a feed, a crawled page). A part is a tally of its own and one entry of
 * the source's tally, so that no item grows with the number of all articles.
 * @param place of the article in the listing, from 0; the same whenever the listing is read
 * @param of.crawl whether the listing is a page of a crawl
 */
export function tallyPartId(listingId: string, place: number, of: { crawl: boolean }): string {
  // Short: the source's tally of a crawl has the parts of 5,000 pages.
  return `${listingId}.${Math.floor(place / (of.crawl ? articlesInPartOfCrawl : articlesInPart))}`;
}

/** Where a request is counted; part of its context. */
export const runContext = z.object({
  runId: z.string(),
  sourceId: z.string(),
  /** Absent: in the source's own tally. */
  part: z.string().optional(),
  /** On a further page of a list: the id that the list is counted by, which is the id of its first page. */
  listId: z.string().optional(),
});
export type RunContext = z.output<typeof runContext>;

/** @throws InputError when the context is not what the reader's requests carry */
export function parseContext<Schema extends z.ZodType>(
  { context }: Pick<OutboundRequest, "context">,
  schema: Schema,
): z.output<Schema> {
  return parseInput(schema, context);
}

interface CompletionPorts {
  runs: RunStore;
  delivery: StageQueue;
}

/**
 * Counts in one repeatable update that a request is read and which requests it has led to. The last request of the last
 * source starts the delivery. A reader calls it when it knows the requests that follow, and before it sends them: a
 * reader that is killed in between does both again.
 * @param request.isContinued a further page of the list follows in its place, so that the list stays open
 */
export async function closeRequest(
  request: RunContext & { id: string; opened?: string[]; isContinued?: boolean },
  ports: CompletionPorts,
): Promise<void> {
  const { runId, sourceId, part, id, listId = id, opened = [], isContinued = false } = request;
  const closed = isContinued ? [] : [listId];
  if (opened.length === 0 && closed.length === 0) return;
  const name = part === undefined ? sourceTallyName(sourceId) : partTallyName(sourceId, part);
  const tally = await ports.runs.updateTally(runId, name, { opened, closed });
  if (tally.opened !== tally.closed) return;
  if (part === undefined) await closeSource(runId, sourceId, ports);
  else await closeRequest({ runId, sourceId, id: part }, ports);
}

/** Opens a part for requests that are sent after their listing is closed. */
export async function openPart(
  { runId, sourceId, part, opened }: RunContext & { part: string; opened: string[] },
  { runs }: Pick<CompletionPorts, "runs">,
): Promise<void> {
  await runs.updateTally(runId, partTallyName(sourceId, part), { opened });
}

/** Counts a source as harvested. The last one starts the delivery; a long harvest waits for the next one. */
export async function closeSource(
  runId: string,
  sourceId: string,
  { runs, delivery }: CompletionPorts,
): Promise<void> {
  const tally = await runs.updateTally(runId, sourcesTallyName, { closed: [sourceId] });
  if (tally.opened !== tally.closed) return;
  if ((await runs.get(runId))?.harvestOf === undefined) await delivery.send({ runId });
  else await endLongHarvest(runId, runs);
}
