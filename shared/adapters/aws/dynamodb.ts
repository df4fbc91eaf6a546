import { randomBytes } from "node:crypto";
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
import { writeIdName } from "../../names.ts";
import { silentLogger } from "./silent-logger.ts";

/** One client per function, so that all tables share its connections. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({ logger: silentLogger }), {
  marshallOptions: { removeUndefinedValues: true },
});

const writeIdBytes = 12;

/** A query, as the functions below take it. */
export type Query = QueryCommandInput;

/** Writes without a condition: a repeat does the same again. */
export async function putItem(input: PutCommandInput): Promise<void> {
  await dynamodb.send(new PutCommand(input));
}

/** @returns the attributes that `ReturnValues` asks for */
export async function updateItem<Item = Record<string, unknown>>(
  input: UpdateCommandInput,
): Promise<Item | undefined> {
  return (await dynamodb.send(new UpdateCommand(input))).Attributes as Item | undefined;
}

export async function deleteItem(input: DeleteCommandInput): Promise<void> {
  await dynamodb.send(new DeleteCommand(input));
}

/**
 * Conditional writes: `false` when the condition did not hold. Each is done at most once, however often the SDK repeats
 * it: a write whose answer was lost finds its own id in the item, and its result is that of the write. The reads of this
 * file omit the id.
 */
export async function putIf(input: PutCommandInput): Promise<boolean> {
  const writeId = newWriteId();
  const Item = { ...input.Item, [writeIdName]: writeId };
  return isWritten(dynamodb.send(new PutCommand({ ...unlessWritten(input, writeId), Item })), writeId);
}

export async function updateIf(input: UpdateCommandInput): Promise<boolean> {
  const writeId = newWriteId();
  const UpdateExpression = withWriteId(input.UpdateExpression ?? "");
  const update = new UpdateCommand({ ...unlessWritten(input, writeId), UpdateExpression });
  return isWritten(dynamodb.send(update), writeId);
}

/**
 * As `updateIf`, with the text of an attribute that the item has afterwards, whether the condition held or not.
 */
export async function updateIfReading(
  input: UpdateCommandInput,
  attribute: string,
): Promise<{ isWritten: boolean; text: string | undefined }> {
  const writeId = newWriteId();
  const UpdateExpression = withWriteId(input.UpdateExpression ?? "");
  const update = new UpdateCommand({
    ...unlessWritten(input, writeId),
    UpdateExpression,
    ReturnValues: "ALL_NEW",
  });
  const result = await ifConditionHeld(dynamodb.send(update));
  if (!("failure" in result)) return { isWritten: true, text: result.output.Attributes?.[attribute] };
  const { Item } = result.failure;
  return { isWritten: Item?.[writeIdName]?.S === writeId, text: Item?.[attribute]?.S };
}

/** A repeat that finds no item is taken for one whose first attempt has deleted it. */
export async function deleteIf(input: DeleteCommandInput): Promise<boolean> {
  const deletion = new DeleteCommand({ ...input, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
  const result = await ifConditionHeld(dynamodb.send(deletion));
  if (!("failure" in result)) return true;
  const { Item, $metadata } = result.failure;
  return Item === undefined && ($metadata.attempts ?? 1) > 1;
}

/**
 * The item after a conditional update; undefined when the condition did not hold. The SDK may repeat the update, so that
 * a repeat must not change the item again.
 */
export async function updatedIf<Item = Record<string, unknown>>(
  input: UpdateCommandInput,
): Promise<Item | undefined> {
  const result = await ifConditionHeld(
    dynamodb.send(new UpdateCommand({ ...input, ReturnValues: "ALL_NEW" })),
  );
  return "failure" in result ? undefined : withoutWriteId((result.output.Attributes ?? {}) as Item);
}

function newWriteId(): string {
  return randomBytes(writeIdBytes).toString("base64url");
}

/** The write with the further condition that it has not been done. */
function unlessWritten<Input extends PutCommandInput | UpdateCommandInput>(
  input: Input,
  writeId: string,
): Input {
  const isNew = `(attribute_not_exists(${writeIdName}) OR ${writeIdName} <> :writeId)`;
  const { ConditionExpression: condition, ExpressionAttributeValues } = input;
  return {
    ...input,
    ConditionExpression: condition === undefined ? isNew : `(${condition}) AND ${isNew}`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ":writeId": writeId },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

function withWriteId(expression: string): string {
  const assignment = `${writeIdName} = :writeId`;
  return /\bSET\b/.test(expression)
    ? expression.replace(/\bSET\b/, `SET ${assignment},`)
    : `${expression} SET ${assignment}`;
}

async function isWritten(write: Promise<object>, writeId: string): Promise<boolean> {
  const result = await ifConditionHeld(write);
  // The SDK's error holds the item as DynamoDB answers it, with types.
  return !("failure" in result) || result.failure.Item?.[writeIdName]?.S === writeId;
}

async function ifConditionHeld<Output>(
  write: Promise<Output>,
): Promise<{ output: Output } | { failure: ConditionalCheckFailedException }> {
  try {
    return { output: await write };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { failure: error };
    throw error;
  }
}

function withoutWriteId<Item>(item: Item): Item {
  if (typeof item !== "object" || item === null) return item;
  const { [writeIdName]: _id, ...rest } = item as Record<string, unknown>;
  return rest as Item;
}

/**
 * The item of a key; undefined when there is none. Here and below, `Item` is not checked: only our own code writes
 * these items. Callers that read what operators may edit use `unknown` values, and parse them.
 */
export async function getItem<Item = Record<string, unknown>>(
  input: GetCommandInput,
): Promise<Item | undefined> {
  return withoutWriteId((await dynamodb.send(new GetCommand(input))).Item as Item | undefined);
}

/** The first page of a query, with at most `Limit` items. `end` is the start key of the next page, if there is one. */
export async function queryPage<Item>(
  input: QueryCommandInput,
): Promise<{ items: Item[]; end: QueryCommandInput["ExclusiveStartKey"] }> {
  const { Items = [], LastEvaluatedKey: end } = await dynamodb.send(new QueryCommand(input));
  return { items: Items.map(withoutWriteId) as Item[], end };
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
    items.push(...((Responses?.[TableName] ?? []).map(withoutWriteId) as Item[]));
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
