import { digest } from "../../core/digest.ts";
import { runRetentionDays } from "../../names.ts";
import type { Tally as TallySizes } from "../../records/runs/run-store.ts";
import { sourcesTallyName } from "../../records/runs/tally-names.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { expression, list } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/** Ids to add to a tally. */
export interface TallyAddition {
  runId: string;
  tally: string;
  opened: readonly string[];
  closed: readonly string[];
}

interface TallyItem {
  opened?: Set<string>;
  closed?: Set<string>;
}

/**
 * The items of the tally of sources, which their ids are divided among: an item takes 400 KB, and 10,000 sources may have
 * ids of 128 characters. All other tallies have one item: their ids are digests, and their number is limited.
 */
const sourceShards = 16;

function shardsOf(tally: string): string[] {
  if (tally !== sourcesTallyName) return [tally];
  return Array.from({ length: sourceShards }, (_, shard) => shardName(tally, shard));
}

function shardOf(tally: string, id: string): string {
  if (tally !== sourcesTallyName) return tally;
  return shardName(tally, (Buffer.from(digest(id), "base64url")[0] ?? 0) % sourceShards);
}

/** The first one has the name that the tally had as a whole: a run that began so ends, too. */
function shardName(tally: string, shard: number): string {
  return shard === 0 ? tally : `${tally}/${shard}`;
}

function openShards() {
  return table<TallyItem, { runId: string; shard: string }>({
    variable: "runsTable",
    key: ({ runId, shard }) => ({ runId, part: `tally#${shard}` }),
  });
}

/** The ids of a tally that are open. */
export async function openIdsOf(runId: string, tally: string): Promise<string[]> {
  const { opened, closed } = await readTally(runId, tally);
  return [...opened].filter((id) => !closed.has(id));
}

async function readTally(runId: string, tally: string) {
  const shards = openShards();
  const items = await Promise.all(shardsOf(tally).map((shard) => shards.get({ runId, shard })));
  const union = (name: keyof TallyItem) => new Set(items.flatMap((item) => [...(item?.[name] ?? [])]));
  return { opened: union("opened"), closed: union("closed") };
}

/** One update for all additions to an item: the articles of a source end at the same time. */
export async function updateTallies(additions: TallyAddition[]): Promise<TallySizes[]> {
  const parts = additions.flatMap((addition) => divide(addition));
  const byItem = Map.groupBy(parts, ({ runId, shard }) => JSON.stringify([runId, shard]));
  const sizes = new Map((await Promise.all([...byItem.values()].map(addParts))).flat());
  const partsOf = Map.groupBy(parts, ({ addition }) => addition);
  return Promise.all(
    additions.map((addition) => {
      const own = (partsOf.get(addition) ?? []).map((part) => sizes.get(part) as TallySizes);
      return sizesAfter(addition, own);
    }),
  );
}

interface AdditionPart extends TallyAddition {
  addition: TallyAddition;
  shard: string;
}

function divide(addition: TallyAddition): AdditionPart[] {
  const { tally, opened, closed } = addition;
  const isIn = (shard: string) => (id: string) => shardOf(tally, id) === shard;
  return shardsOf(tally)
    .map((shard) => ({
      ...addition,
      addition,
      shard,
      opened: opened.filter(isIn(shard)),
      closed: closed.filter(isIn(shard)),
    }))
    .filter((part) => part.opened.length + part.closed.length > 0);
}

/**
 * The sizes of a whole tally. While a shard is open, so is the tally. The last one who closes a shard reads all of them
 * afterwards, and so finds the tally at its end; two who close theirs at the same time may both find it.
 */
async function sizesAfter({ runId, tally }: TallyAddition, own: TallySizes[]): Promise<TallySizes> {
  const [only] = own;
  if (tally !== sourcesTallyName && only !== undefined) return only;
  const open = own.find(({ opened, closed }) => opened > closed);
  if (open !== undefined) return open;
  const { opened, closed } = await readTally(runId, tally);
  return { opened: opened.size, closed: closed.size };
}

/**
 * Each addition gets the sizes as if it had been made alone, after those before it: so one of them ends the tally, not all.
 * @param parts of one item
 */
async function addParts(parts: AdditionPart[]): Promise<[AdditionPart, TallySizes][]> {
  const [{ runId, shard } = { runId: "", shard: "" }] = parts;
  const opened = new Set(parts.flatMap((part) => part.opened));
  const closed = new Set(parts.flatMap((part) => part.closed));
  const expiresAt = ttlAfter(new Date().toISOString(), runRetentionDays);
  // DynamoDB has no empty sets.
  const additions = [
    ...(opened.size > 0 ? [expression`opened ${opened}`] : []),
    ...(closed.size > 0 ? [expression`closed ${closed}`] : []),
  ];
  const change = expression`SET expiresAt = ${expiresAt} ADD ${list(additions)}`;
  const before = await openShards().updateItem({ runId, shard }, change, "ALL_OLD");
  const { opened: openedSoFar = new Set(), closed: closedSoFar = new Set() } = before ?? {};
  return parts.map((part) => {
    for (const id of part.opened) openedSoFar.add(id);
    for (const id of part.closed) closedSoFar.add(id);
    return [part, { opened: openedSoFar.size, closed: closedSoFar.size }];
  });
}
