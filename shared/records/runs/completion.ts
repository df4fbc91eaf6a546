import * as z from "zod";
import { parseInput } from "../../core/schema-problems.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import { endLongHarvest } from "./long-harvest.ts";
import type { RunStore } from "./run-store.ts";
import type { StageQueue } from "./stages.ts";
import { partTallyName, sourcesTallyName, sourceTallyName } from "./tally-names.ts";

/**
 * The number of articles that are counted in one part. Each update is billed for the whole item, per KiB. The ids of 32
 * articles, opened and closed, take one KiB. In addition, an item can take at most 1,000 write units per second, and
 * have at most 400 KB.
 */
const articlesInPart = 32;

/**
 * The number for a page of a crawl. It is larger, because the source's tally contains the names of the parts of up to
 * 5,000 pages.
 */
const articlesInPartOfCrawl = 500;

/**
 * Returns the id of the part that counts an article of a listing (a feed, or a crawled page). A part is a separate
 * tally, and one entry in the source's tally. Therefore no item grows with the number of all articles.
 * @param place the position of the article in the listing, from 0; it is the same whenever the listing is read
 * @param of.crawl whether the listing is a page of a crawl
 */
export function tallyPartId(listingId: string, place: number, of: { crawl: boolean }): string {
  // The id is short, because the source's tally of a crawl contains the parts of 5,000 pages.
  return `${listingId}.${Math.floor(place / (of.crawl ? articlesInPartOfCrawl : articlesInPart))}`;
}

/** The tally in which a request is counted. It is part of the context of the request. */
export const runContext = z.object({
  runId: z.string(),
  sourceId: z.string(),
  /** Absent when the request is counted in the source's own tally. */
  part: z.string().optional(),
  /** Set on a further page of a list: the id of the first page, by which the whole list is counted. */
  listId: z.string().optional(),
});
export type RunContext = z.output<typeof runContext>;

/**
 * Parses the context of a request.
 * @throws InputError when the context is not one of the reader's requests
 */
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
 * Stores in one repeatable update that a request has been read, and which requests follow from it. The last request of
 * the last source starts the delivery. A reader calls this after it has determined the following requests, and before
 * it sends them. If the reader is killed in between, it repeats both.
 * @param request.isContinued set when a further page of the list takes the place of this request, so that the list
 * stays open
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

/**
 * Counts a source as harvested. The last source starts the delivery. A long harvest waits for the next delivery
 * instead.
 */
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
