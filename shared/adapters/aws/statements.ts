import { BatchExecuteStatementCommand } from "@aws-sdk/lib-dynamodb";
import { type Clock, systemClock } from "../../core/clock.ts";
import { combine } from "../../core/combine.ts";
import { PlatformError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { dynamodb } from "./dynamodb.ts";

/**
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.multiplestatements.batching.html
 */
const maxStatements = 25;
const maxParallelBatches = 8;

/** The number of statements that are sent at the same time. */
const maxCombined = maxStatements * maxParallelBatches;

/** The pause after a response with throttled statements. The pause doubles each time, up to a total of six seconds. */
const firstPauseMs = 50;
const maxPauses = 7;

/** The codes of statements that may be repeated. */
const isPassing =
  /^(RequestLimitExceeded|ProvisionedThroughputExceeded|Throttling|InternalServer|TransactionConflict)/;

interface Statement {
  Statement: string;
  Parameters: unknown[];
}

/**
 * Inserts items whose keys are not in use, 25 items in a call. Each item costs as much as a separate write, but the
 * calls cost only a twentieth.
 * @param keyNames the attributes of the table's key
 * @returns whether each item was inserted. If not, an item with its key exists: an earlier one, or the same one if the
 * response to an earlier attempt was lost
 */
export async function insertAll(
  TableName: string,
  keyNames: readonly string[],
  items: readonly object[],
  clock: Pick<Clock, "sleep"> = systemClock,
): Promise<boolean[]> {
  const keyOf = (item: object) =>
    JSON.stringify(keyNames.map((name) => (item as Record<string, unknown>)[name]));
  // A call may contain each key only once. If several items have the same key, only the first one may be inserted.
  const firstByKey = new Map(items.toReversed().map((item) => [keyOf(item), item]));
  const distinct = items.filter((item) => firstByKey.get(keyOf(item)) === item);
  const codes = await execute(
    distinct.map((item) => {
      const attributes = Object.entries(item).filter(([, value]) => value !== undefined);
      return {
        Statement: `INSERT INTO "${TableName}" VALUE {${attributes.map(([name]) => `'${name}': ?`).join(", ")}}`,
        Parameters: attributes.map(([, value]) => value),
      };
    }),
    "DuplicateItem",
    clock,
  );
  const inserted = new Set(distinct.filter((_, index) => codes[index] === undefined));
  return items.map((item) => inserted.has(item));
}

/**
 * Returns `insertAll` for single items. Items that are passed while a call is in progress are combined into batches.
 */
export function combinedInserts(
  TableName: string,
  keyNames: readonly string[],
): (item: object) => Promise<boolean> {
  return combine((items: object[]) => insertAll(TableName, keyNames, items), maxCombined);
}

/** A change of an existing item. Attributes are given by their names. */
export interface ItemUpdate {
  key: Record<string, string>;
  /** Undefined attributes are omitted. */
  set: Record<string, unknown>;
  remove?: readonly string[];
  /** The condition, such as `"state" = ? AND "owner" <> ?`, with its values in order. */
  where: readonly [condition: string, ...values: unknown[]];
}

/**
 * Updates items of a table, 25 items in a call. An item that does not exist, or for which the condition does not hold,
 * is unchanged.
 */
export async function updateAll(TableName: string, updates: readonly ItemUpdate[]): Promise<void> {
  await execute(
    updates.map(({ key, set, remove = [], where: [condition, ...values] }) => {
      const attributes = Object.entries(set).filter(([, value]) => value !== undefined);
      const sets = attributes.map(([name]) => `SET "${name}" = ?`);
      const removes = remove.map((name) => `REMOVE "${name}"`);
      const keys = Object.keys(key).map((name) => `"${name}" = ?`);
      const changes = [...sets, ...removes].join(" ");
      return {
        Statement: `UPDATE "${TableName}" ${changes} WHERE ${keys.join(" AND ")} AND (${condition})`,
        Parameters: [...attributes.map(([, value]) => value), ...Object.values(key), ...values],
      };
    }),
    "ConditionalCheckFailed",
    systemClock,
  );
}

/**
 * Returns `updateAll` for single updates. Updates that are passed while a call is in progress are combined into
 * batches.
 */
export function combinedUpdates(TableName: string): (update: ItemUpdate) => Promise<ItemUpdate> {
  return combine(async (updates: ItemUpdate[]) => {
    await updateAll(TableName, updates);
    return updates;
  }, maxCombined);
}

/**
 * @param expected the code of a statement that changes nothing
 * @returns the codes of the statements; undefined for successful statements
 * @throws PlatformError for a statement with another code, after all pauses
 */
async function execute(
  statements: Statement[],
  expected: string,
  { sleep }: Pick<Clock, "sleep">,
): Promise<(string | undefined)[]> {
  const batches = await inParallel(inBatches(statements, maxStatements), maxParallelBatches, (batch) =>
    executeBatch(batch, expected, sleep),
  );
  return batches.flat();
}

async function executeBatch(
  statements: Statement[],
  expected: string,
  sleep: Clock["sleep"],
): Promise<(string | undefined)[]> {
  const codes = new Array<string | undefined>(statements.length);
  let open = statements.map((statement, index) => ({ statement, index }));
  for (let pauses = 0; ; pauses++) {
    const { Responses = [] } = await dynamodb.send(
      new BatchExecuteStatementCommand({ Statements: open.map(({ statement }) => statement) }),
    );
    const left: typeof open = [];
    for (const [place, entry] of open.entries()) {
      const { Code, Message } = Responses[place]?.Error ?? {};
      if (Code === undefined || Code === expected) codes[entry.index] = Code;
      else if (isPassing.test(Code) && pauses < maxPauses) left.push(entry);
      else throw new PlatformError(`DynamoDB refused a statement: ${Code} ${Message ?? ""}`);
    }
    if (left.length === 0) return codes;
    await sleep(firstPauseMs * 2 ** pauses);
    open = left;
  }
}
