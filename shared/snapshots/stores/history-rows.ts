import { putIf, queryFirst } from "../../adapters/aws/dynamodb.ts";
import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { DefinitionEvent } from "../definitions/definition.ts";

/** The newest events are kept in the item of their definition, whose writes are conditional; earlier ones are rows. */
const eventsInItem = 20;

const writesAtOnce = 10;

const kindOf = (definitionId: string) => `history:${definitionId}`;

/**
 * Writes the earlier events as rows. A row is named by its event, so that a repetition, or another writer, writes the same one.
 * @returns the events that stay in the item
 */
export async function keepEarlierEvents(
  TableName: string,
  definitionId: string,
  history: readonly DefinitionEvent[],
): Promise<readonly DefinitionEvent[]> {
  const earlier = history.slice(0, -eventsInItem);
  await inParallel(earlier, writesAtOnce, async ({ at, what }) => {
    const time = at.toISOString();
    const Item = { kind: kindOf(definitionId), id: `${time} ${digest(time, what)}`, what };
    // What is there is the same.
    await putIf({ TableName, Item, ConditionExpression: "attribute_not_exists(id)" });
  });
  return history.slice(-eventsInItem);
}

/** The newest events that are rows, the newest last. */
export async function earlierEvents(
  TableName: string,
  definitionId: string,
  most: number,
): Promise<DefinitionEvent[]> {
  const rows = await queryFirst<{ id: string; what: string }>(
    {
      TableName,
      KeyConditionExpression: "kind = :kind",
      ExpressionAttributeValues: { ":kind": kindOf(definitionId) },
      ScanIndexForward: false,
    },
    most,
  );
  return rows.map(({ id, what }) => ({ at: new Date(id.split(" ")[0] ?? ""), what })).reverse();
}
