import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type KeysAndAttributes,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";

import { type Clock, systemClock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";

/** One client per function, so that all tables share its connections. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

/** Conditional writes: `false` when the condition did not hold. */
export const putIf = (input: PutCommandInput) => conditionHeld(dynamodb.send(new PutCommand(input)));
export const updateIf = (input: UpdateCommandInput) => conditionHeld(dynamodb.send(new UpdateCommand(input)));
export const deleteIf = (input: DeleteCommandInput) => conditionHeld(dynamodb.send(new DeleteCommand(input)));

/** The item after a conditional update; undefined when the condition did not hold. */
export async function updatedIf(input: UpdateCommandInput): Promise<Record<string, unknown> | undefined> {
  const updated = await ifConditionHeld(
    dynamodb.send(new UpdateCommand({ ...input, ReturnValues: "ALL_NEW" })),
  );
  return updated && (updated.Attributes ?? {});
}

async function conditionHeld(write: Promise<object>): Promise<boolean> {
  return (await ifConditionHeld(write)) !== undefined;
}

async function ifConditionHeld<Output>(write: Promise<Output>): Promise<Output | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/**
 * An update expression that sets all of these attributes, with its names and values; any attribute name may be used.
 */
export function buildSetExpression(attributes: object): {
  set: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
} {
  const entries = Object.entries(attributes);
  return {
    set: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(", ")}`,
    names: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}

/**
 * The item of a key; undefined when there is none. Here and below, `Item` is not checked: only our own code writes
 * these items. Callers that read what operators may edit use `unknown` values, and parse them.
 */
export async function getItem<Item = Record<string, unknown>>(
  input: GetCommandInput,
): Promise<Item | undefined> {
  return (await dynamodb.send(new GetCommand(input))).Item as Item | undefined;
}

/** The first page of a query, with at most `Limit` items. `end` is the start key of the next page, if there is one. */
export async function queryPage<Item>(
  input: QueryCommandInput,
): Promise<{ items: Item[]; end: QueryCommandInput["ExclusiveStartKey"] }> {
  const { Items = [], LastEvaluatedKey: end } = await dynamodb.send(new QueryCommand(input));
  return { items: Items as Item[], end };
}

/** The items of a query, page by page. */
export async function* queryPages<Item>(input: QueryCommandInput): AsyncGenerator<Item[]> {
  let from = input.ExclusiveStartKey;
  do {
    const { items, end } = await queryPage<Item>({ ...input, ExclusiveStartKey: from });
    yield items;
    from = end;
  } while (from !== undefined);
}

/** The first `count` items of a query. It reads further pages where one ends at 1 MB. */
export async function queryFirst<Item>(input: QueryCommandInput, count: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages<Item>({ ...input, Limit: count })) {
    items.push(...page);
    if (items.length >= count) break;
  }
  return items.slice(0, count);
}

/** All items of a query. */
export async function queryAll<Item>(input: QueryCommandInput): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages<Item>(input)) items.push(...page);
  return items;
}

/** The most keys that DynamoDB reads in one request. */
const maxKeysPerBatch = 100;
const maxParallelReads = 8;

/** The pause after a response with unprocessed keys. It doubles each time, to six seconds in all. */
const firstPauseMs = 50;
const maxPauses = 7;

type Key = Record<string, string>;

/**
 * The items of a table that have these keys, in any order. No key may be given twice.
 * @throws PlatformError when DynamoDB leaves keys unprocessed after all pauses, as under throttling
 */
export async function getAll<Item>(
  TableName: string,
  { Keys, ...options }: Omit<KeysAndAttributes, "Keys"> & { Keys: Key[] },
  { sleep }: Pick<Clock, "sleep"> = systemClock,
): Promise<Item[]> {
  const batches = await inParallel(inBatches(Keys, maxKeysPerBatch), maxParallelReads, (keys) =>
    getBatch<Item>(TableName, { Keys: keys, ...options }, sleep),
  );
  return batches.flat();
}

async function getBatch<Item>(
  TableName: string,
  { Keys, ...options }: Omit<KeysAndAttributes, "Keys"> & { Keys: Key[] },
  sleep: Clock["sleep"],
): Promise<Item[]> {
  const items: Item[] = [];
  let open = Keys;
  let pauses = 0;
  while (true) {
    const { Responses, UnprocessedKeys } = await dynamodb.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { ...options, Keys: open } } }),
    );
    items.push(...((Responses?.[TableName] ?? []) as Item[]));
    const left = (UnprocessedKeys?.[TableName]?.Keys ?? []) as Key[];
    if (left.length === 0) return items;
    if (left.length < open.length) pauses = 0;
    if (pauses === maxPauses)
      throw new PlatformError(`DynamoDB left ${left.length} keys of ${TableName} unprocessed`);
    await sleep(firstPauseMs * 2 ** pauses);
    pauses += 1;
    open = left;
  }
}

/** The time to live of an item, in seconds since 1970: `days` after a day or an instant (ISO 8601). */
export function ttlAfter(from: string, days: number): number {
  return Math.floor(Date.parse(from) / 1000) + days * 86_400;
}
