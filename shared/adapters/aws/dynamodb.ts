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

/** One client per function: connections are shared by all tables. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

/** Each a conditional write: whether it took place; `false` when its condition did not hold. */
export const putIf = (input: PutCommandInput) => conditionHeld(dynamodb.send(new PutCommand(input)));
export const updateIf = (input: UpdateCommandInput) => conditionHeld(dynamodb.send(new UpdateCommand(input)));
export const deleteIf = (input: DeleteCommandInput) => conditionHeld(dynamodb.send(new DeleteCommand(input)));

/** The item as a conditional update has left it; undefined when its condition did not hold. */
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

/** What sets all of these attributes, whatever they are called: an expression, the names and the values in it. */
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
 * The item of a key; undefined where there is none. `Item` is the caller's word here and in what follows, and is not
 * checked: what only our own code writes is read as it was written. What operators may edit is asked for as `unknown`
 * values, and parsed.
 */
export async function getItem<Item = Record<string, unknown>>(
  input: GetCommandInput,
): Promise<Item | undefined> {
  return (await dynamodb.send(new GetCommand(input))).Item as Item | undefined;
}

/** The first items of a query: at most its `Limit`. `end` is where the next page begins, if there is one. */
export async function queryPage<Item>(
  input: QueryCommandInput,
): Promise<{ items: Item[]; end: QueryCommandInput["ExclusiveStartKey"] }> {
  const { Items = [], LastEvaluatedKey: end } = await dynamodb.send(new QueryCommand(input));
  return { items: Items as Item[], end };
}

/** The items of a query, a page at a time. */
export async function* queryPages<Item>(input: QueryCommandInput): AsyncGenerator<Item[]> {
  let from = input.ExclusiveStartKey;
  do {
    const { items, end } = await queryPage<Item>({ ...input, ExclusiveStartKey: from });
    yield items;
    from = end;
  } while (from !== undefined);
}

/** The first items of a query, so many if it has them: a page ends after 1 MB, whatever its `Limit`. */
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

/** The pause after an answer that leaves keys out; it doubles as long as that goes on, to six seconds in all. */
const firstPauseMs = 50;
const maxPauses = 7;

type Key = Record<string, string>;

/**
 * The items of a table that have these keys, in any order; each key may stand once.
 * @throws PlatformError when DynamoDB goes on leaving keys out, as it does when it is throttled
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
      throw new PlatformError(`DynamoDB does not give ${left.length} items of ${TableName}`);
    await sleep(firstPauseMs * 2 ** pauses);
    pauses += 1;
    open = left;
  }
}

/** When an item of that time (ISO 8601, a day or an instant) is let go: the table's time to live, in epoch seconds. */
export function ttlAfter(from: string, days: number): number {
  return Math.floor(Date.parse(from) / 1000) + days * 86_400;
}
