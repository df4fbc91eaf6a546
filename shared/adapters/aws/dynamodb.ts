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

/** A query, in the form that the functions below accept. */
export type Query = QueryCommandInput;

/** Writes an item without a condition. A repeated write has the same result. */
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
 * Conditional writes return `false` when the condition did not hold. Each write is done at most once, even if the SDK
 * repeats it: if the response to a write was lost, the repeated write finds its own id in the item and returns the
 * result of the first attempt. The reads of this file omit the id.
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
 * Updates like `updateIf`, and also returns the text of an attribute after the update, whether the condition held or
 * not.
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

/** Deletes an item on a condition. A repeat that finds no item assumes that its first attempt has deleted the item. */
export async function deleteIf(input: DeleteCommandInput): Promise<boolean> {
  const deletion = new DeleteCommand({ ...input, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
  const result = await ifConditionHeld(dynamodb.send(deletion));
  if (!("failure" in result)) return true;
  const { Item, $metadata } = result.failure;
  return Item === undefined && ($metadata.attempts ?? 1) > 1;
}

/**
 * Returns the item after a conditional update. The SDK may repeat the update, so a repeated update must not change the
 * item again.
 * @returns undefined when the condition did not hold
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

/** Returns the write with the additional condition that it has not been done. */
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
  // The SDK's error has the item in DynamoDB's typed format.
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
 * Returns the item with a key. Here and below, `Item` is not checked, because only Ingather's own code writes these
 * items. Callers that read what operators may edit use `unknown` values and parse them.
 * @returns undefined when there is no such item
 */
export async function getItem<Item = Record<string, unknown>>(
  input: GetCommandInput,
): Promise<Item | undefined> {
  return withoutWriteId((await dynamodb.send(new GetCommand(input))).Item as Item | undefined);
}

/**
 * Returns the first page of a query, with at most `Limit` items. `end` is the start key of the next page, if there is a
 * next page.
 */
export async function queryPage<Item>(
  input: QueryCommandInput,
): Promise<{ items: Item[]; end: QueryCommandInput["ExclusiveStartKey"] }> {
  const { Items = [], LastEvaluatedKey: end } = await dynamodb.send(new QueryCommand(input));
  return { items: Items.map(withoutWriteId) as Item[], end };
}

/** Yields the items of a query, page by page. */
export async function* queryPages<Item>(input: QueryCommandInput): AsyncGenerator<Item[]> {
  let from = input.ExclusiveStartKey;
  do {
    const { items, end } = await queryPage<Item>({ ...input, ExclusiveStartKey: from });
    yield items;
    from = end;
  } while (from !== undefined);
}

/** Returns the first `count` items of a query. A page ends at 1 MB, so further pages are read if needed. */
export async function queryFirst<Item>(input: QueryCommandInput, count: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages<Item>({ ...input, Limit: count })) {
    items.push(...page);
    if (items.length >= count) break;
  }
  return items.slice(0, count);
}

/** Returns all items of a query. */
export async function queryAll<Item>(input: QueryCommandInput): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages<Item>(input)) items.push(...page);
  return items;
}

/** The largest number of keys that DynamoDB reads in one request. */
const maxKeysPerBatch = 100;
const maxParallelReads = 8;

/** The pause after a response with unprocessed keys. The pause doubles each time, up to a total of six seconds. */
const firstPauseMs = 50;
const maxPauses = 7;

type Key = Record<string, string>;

/**
 * Returns the items of a table that have these keys, in any order. The keys must be distinct.
 * @throws PlatformError when DynamoDB leaves keys unprocessed after all pauses, for example because of throttling
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

/** Returns the time to live of an item, in seconds since 1970: `days` after a day or an instant (ISO 8601). */
export function ttlAfter(from: string, days: number): number {
  return Math.floor(Date.parse(from) / 1000) + days * 86_400;
}
