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

/** The account that has a table: the account of the environment, or that of a profile of the AWS CLI. */
export interface TableLocation {
  table: string;
  profile?: string | undefined;
  region?: string | undefined;
}

/** The progress of a copy. Items that are counted are already in the table. */
export interface CopyPlace {
  read: number;
  written: number;
  /**
   * The segments of the table, which are read in parallel. `after`: the key of the last item on the last page that was
   * written.
   */
  segments: { after?: Record<string, AttributeValue>; isDone: boolean }[];
}

/**
 * The number of segments of a table that is read from its beginning. Each segment reads pages of 1 MB and makes eight
 * writes at a time.
 */
const segmentCount = 8;

/** The limit of DynamoDB for one batch. */
const maxItemsPerBatch = 25;
const maxParallelWrites = 8;
/** The first pause after unprocessed items. The pause doubles each time, up to a total of 25 s. */
const firstPauseMs = 100;
const maxPauses = 8;

/**
 * Copies all items of a table to another table with the same key, in parallel segments. The copy may be repeated. Items
 * that already exist are unchanged, unless `overwrite` is set.
 * @param options.place where an earlier copy ended; a page that was not finished is copied again
 * @param onProgress called after each page of a segment, with the place from which the copy may be resumed
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html#Scan.ParallelScan
 * @throws PlatformError when DynamoDB leaves items unwritten after all pauses
 */
export async function copyItems(
  {
    from,
    to,
    overwrite,
    place,
  }: { from: TableLocation; to: TableLocation; overwrite: boolean; place?: CopyPlace | undefined },
  onProgress: (place: CopyPlace) => void,
  clock: Pick<Clock, "sleep"> = systemClock,
): Promise<{ read: number; written: number }> {
  const source = clientOf(from);
  const target = clientOf(to);
  const { Table } = await target.send(new DescribeTableCommand({ TableName: to.table }));
  const key = Table?.KeySchema?.[0]?.AttributeName ?? "";
  const done: CopyPlace = structuredClone(place) ?? {
    read: 0,
    written: 0,
    segments: Array.from({ length: segmentCount }, () => ({ isDone: false })),
  };
  let hasFailed = false;
  const copyPage = async (segment: CopyPlace["segments"][number], Segment: number) => {
    const page = await source.send(
      new ScanCommand({
        TableName: from.table,
        ExclusiveStartKey: segment.after,
        Segment,
        TotalSegments: done.segments.length,
      }),
    );
    const items = page.Items ?? [];
    const written = overwrite
      ? await replaceAll(target, { table: to.table, items }, clock)
      : await addMissing(target, { table: to.table, items, key });
    done.read += items.length;
    done.written += written;
    if (page.LastEvaluatedKey === undefined) segment.isDone = true;
    else segment.after = page.LastEvaluatedKey;
    onProgress(done);
  };
  await inParallel(done.segments, done.segments.length, async (segment, index) => {
    try {
      // After an error, the other segments end after their current page.
      while (!segment.isDone && !hasFailed) await copyPage(segment, index);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
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
