import { digest } from "../../core/digest.ts";
import { runRetentionDays } from "../../names.ts";
import type { Tally as TallySizes } from "../../records/runs/run-store.ts";
import { sourcesTallyName } from "../../records/runs/tally-names.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { expression, list } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/** Ids that are added to a tally. */
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
 * The number of items among which the ids of the tally of sources are divided. An item holds 400 KB, and 10,000 sources
 * may have ids of 128 characters. Every other tally has a single item, because its ids are digests and their number is
 * limited.
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

/**
 * Returns the name of a shard. The first shard has the name of the undivided tally of earlier versions, so that runs
 * that began with it can end.
 */
function shardName(tally: string, shard: number): string {
  return shard === 0 ? tally : `${tally}/${shard}`;
}

function openShards() {
  return table<TallyItem, { runId: string; shard: string }>({
    variable: "runsTable",
    key: ({ runId, shard }) => ({ runId, part: `tally#${shard}` }),
  });
}

/** Returns the open ids of a tally. */
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

/** Makes one update for all additions to an item, because the articles of a source end at the same time. */
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
 * Returns the sizes of a whole tally. A tally is open while any of its shards is open. The worker that closes the last
 * shard reads all shards afterwards, so it sees that the tally has ended. Two workers that close their shards at the
 * same time may both see it.
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
 * Returns for each addition the sizes as if the additions had been made one by one. Therefore only one of them ends the
 * tally.
 * @param parts the additions to one item
 */
async function addParts(parts: AdditionPart[]): Promise<[AdditionPart, TallySizes][]> {
  const [{ runId, shard } = { runId: "", shard: "" }] = parts;
  const opened = new Set(parts.flatMap((part) => part.opened));
  const closed = new Set(parts.flatMap((part) => part.closed));
  const expiresAt = ttlAfter(new Date().toISOString(), runRetentionDays);
  // DynamoDB does not support empty sets.
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
