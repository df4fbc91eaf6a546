import type { Completeness, ListProgress } from "../../formats/oai/completeness.ts";
import type { OaiHarvestState } from "./harvest-state.ts";
import type { ListPlan } from "./list-plan.ts";

/** The latest lists of a source, which all shifted, as a complete list ends the row. */
export interface ShiftedLists {
  /** See `listKeyOf`. */
  listKey: string;
  /** How many of them were of all records; see `listsUntilRead`. */
  full: number;
  /** When those that had the changes since the window began, the oldest first; empty for an unreadable responseDate. */
  begins: string[];
}

/**
 * The number of lists in a row that shift, after which the next step gets on: some repositories shift, or repeat a
 * record, in every list. The window moves to the beginning of the first of these lists only, so each change is in as many
 * lists before the window has passed it.
 */
const listsUntilRead = 3;

/**
 * Counts a list that shifted, or ends the row.
 * @returns how complete the list is with those before it, and where the window begins after it
 */
export function countShift(
  state: Pick<OaiHarvestState, "shifted" | "listKey" | "responseDate">,
  list: { plan: ListPlan; completeness: Completeness; progress: ListProgress; startedAt: string },
): { completeness: Completeness; shifted: ShiftedLists | undefined; responseDate: string | undefined } {
  const { plan, completeness, progress, startedAt } = list;
  const { listKey, isFull } = plan;
  const windowBefore = state.listKey === listKey ? state.responseDate : undefined;
  const before = state.shifted?.listKey === listKey ? state.shifted : { listKey, full: 0, begins: [] };
  const begin = windowBegin(progress.responseDate, startedAt);
  // A list of headers does not read what has changed.
  const hasChanges = plan.identifiers === undefined;
  if (completeness.type !== "shifting") {
    if (completeness.type !== "complete")
      return { completeness, shifted: state.shifted, responseDate: windowBefore };
    const left = { listKey, full: isFull ? 0 : before.full, begins: hasChanges ? [] : before.begins };
    const isOver = left.full === 0 && left.begins.length === 0;
    const responseDate = hasChanges ? begin : windowBefore;
    return { completeness, shifted: isOver ? undefined : left, responseDate };
  }
  const full = before.full + (isFull ? 1 : 0);
  const begins = hasChanges ? [...before.begins, begin ?? ""] : before.begins;
  const moves = begins.length >= listsUntilRead;
  const isRead = isFull ? full >= listsUntilRead : moves;
  const shifted = {
    listKey,
    full: Math.min(full, listsUntilRead - 1),
    begins: begins.slice(1 - listsUntilRead),
  };
  return {
    completeness: isRead ? { ...completeness, isRead } : completeness,
    shifted,
    responseDate: moves ? begins[0] || undefined : windowBefore,
  };
}

/** The earlier one of the repository's time and ours; undefined when the repository's is unreadable. */
function windowBegin(responseDate: string | undefined, startedAt: string): string | undefined {
  const ms = Date.parse(responseDate ?? "");
  if (Number.isNaN(ms)) return undefined;
  return ms <= Date.parse(startedAt) ? responseDate : startedAt;
}
