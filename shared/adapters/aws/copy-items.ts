import {
  type AttributeValue,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { type Clock, systemClock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";

type Item = Record<string, AttributeValue>;

/** A table of an account: that of the environment, or that of a profile of the AWS CLI. */
export interface TableLocation {
  table: string;
  profile?: string | undefined;
  region?: string | undefined;
}

/** The limit of DynamoDB for one batch. */
const maxItemsPerBatch = 25;
const maxParallelWrites = 8;
/** The first pause after unprocessed items; it doubles, to 25 s in all. */
const firstPauseMs = 100;
const maxPauses = 8;

/**
 * Copies all items of a table to another with the same key. Repeatable. Items that are there stay as they are, unless
 * `overwrite` is set.
 * @param onProgress called after each page with the items that were read and written so far
 * @throws PlatformError when DynamoDB leaves items unwritten after all pauses
 */
export async function copyItems(
  { from, to, overwrite }: { from: TableLocation; to: TableLocation; overwrite: boolean },
  onProgress: (done: { read: number; written: number }) => void,
  clock: Pick<Clock, "sleep"> = systemClock,
): Promise<{ read: number; written: number }> {
  const source = clientOf(from);
  const target = clientOf(to);
  const { Table } = await target.send(new DescribeTableCommand({ TableName: to.table }));
  const key = Table?.KeySchema?.[0]?.AttributeName ?? "";
  const done = { read: 0, written: 0 };
  let start: Item | undefined;
  do {
    const page = await source.send(new ScanCommand({ TableName: from.table, ExclusiveStartKey: start }));
    const items = page.Items ?? [];
    done.read += items.length;
    done.written += overwrite
      ? await replaceAll(target, { table: to.table, items }, clock)
      : await addMissing(target, { table: to.table, items, key });
    onProgress(done);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return done;
}

function clientOf({ profile, region }: TableLocation): DynamoDBClient {
  return new DynamoDBClient({
    ...(profile !== undefined && { profile }),
    ...(region !== undefined && { region }),
  });
}

async function replaceAll(
  client: DynamoDBClient,
  { table, items }: { table: string; items: Item[] },
  { sleep }: Pick<Clock, "sleep">,
): Promise<number> {
  await inParallel(inBatches(items, maxItemsPerBatch), maxParallelWrites, async (batch) => {
    let open = batch.map((Item) => ({ PutRequest: { Item } }));
    for (let pauses = 0; open.length > 0; pauses += 1) {
      if (pauses > maxPauses)
        throw new PlatformError(`DynamoDB left ${open.length} items of ${table} unwritten`);
      if (pauses > 0) await sleep(firstPauseMs * 2 ** (pauses - 1));
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: open } }),
      );
      open = (UnprocessedItems?.[table] ?? []) as typeof open;
    }
  });
  return items.length;
}

async function addMissing(
  client: DynamoDBClient,
  { table, items, key }: { table: string; items: Item[]; key: string },
): Promise<number> {
  const added = await inParallel(items, maxParallelWrites, async (Item) => {
    try {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item,
          ConditionExpression: "attribute_not_exists(#key)",
          ExpressionAttributeNames: { "#key": key },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  });
  return added.filter(Boolean).length;
}
