import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { DefinitionEvent } from "../definitions/definition.ts";

/**
 * The number of newest events in the item of a definition, whose writes are conditional. Earlier events are
 * rows.
 */
const eventsInItem = 20;

const writesAtOnce = 10;

interface Row {
  id: string;
  what: string;
}

interface RowKey {
  definitionId: string;
  id: string;
}

const kindOf = (definitionId: string) => `history:${definitionId}`;

function openRows() {
  return table<Row, RowKey>({
    variable: "snapshotsTable",
    key: ({ definitionId, id }) => ({ kind: kindOf(definitionId), id }),
  });
}

/**
 * Writes the earlier events as rows. The key of a row is derived from its event, so that a repetition, or
 * another writer, writes the same row.
 * @returns the events that remain in the item
 */
export async function keepEarlierEvents(
  definitionId: string,
  history: readonly DefinitionEvent[],
): Promise<readonly DefinitionEvent[]> {
  const rows = openRows();
  const earlier = history.slice(0, -eventsInItem);
  await inParallel(earlier, writesAtOnce, ({ at, what }) => {
    const time = at.toISOString();
    // An existing row has the same content.
    return rows.putNew({ definitionId, id: `${time} ${digest(time, what)}` }, { what });
  });
  return history.slice(-eventsInItem);
}

/** Returns the newest events that are rows, newest last. */
export async function earlierEvents(definitionId: string, most: number): Promise<DefinitionEvent[]> {
  const where = expression`kind = ${kindOf(definitionId)}`;
  const rows = await openRows().query({ where, isDescending: true }).first(most);
  return rows.map(({ id, what }) => ({ at: new Date(id.split(" ")[0] ?? ""), what })).reverse();
}
