import { isDeepStrictEqual } from "node:util";
import { parseScheduleExpression } from "./schedule-expression.ts";
import type { ScheduleDefinition, StoredSchedule } from "./schedule-store.ts";

/** Times in milliseconds since the epoch. */
interface Times {
  readonly nowMs: number;
  /** The period that replaces the schedule's expression. */
  readonly everyMs: number | undefined;
  /** The last firing. Absent for a new schedule. */
  readonly lastMs?: number;
}

/** Returns when a schedule fires next; null means never. */
export function nextRunMs(definition: ScheduleDefinition, { nowMs, everyMs, lastMs }: Times): number | null {
  if (definition.State === "DISABLED") return null;
  const earliest = Math.max(nowMs, timeMs(definition.StartDate) ?? 0);
  const timing =
    everyMs === undefined
      ? parseScheduleExpression(definition.ScheduleExpression, definition.ScheduleExpressionTimezone)
      : ({ kind: "rate", everyMs } as const);
  let next: number | undefined;
  if (timing.kind === "at") next = lastMs === undefined ? timing.atMs : undefined;
  else if (timing.kind === "cron") next = timing.nextAfter(earliest);
  else next = lastMs === undefined ? earliest : Math.max(lastMs + timing.everyMs, earliest);
  return next === undefined || next > (timeMs(definition.EndDate) ?? Infinity) ? null : next;
}

/**
 * Returns when a schedule fires after a restart. An overdue rate or date fires at once; a cron time in the
 * past is skipped.
 * @param known the schedule before the restart
 */
export function resumedRunMs(
  definition: ScheduleDefinition,
  known: StoredSchedule | undefined,
  times: Omit<Times, "lastMs">,
): number | null {
  const isSame = known !== undefined && isDeepStrictEqual(known.definition, definition);
  const isCron = definition.ScheduleExpression.startsWith("cron(");
  if (!isSame || isCron || times.everyMs !== undefined) return nextRunMs(definition, times);
  return definition.ScheduleExpression.startsWith("at(")
    ? known.nextMs
    : (known.nextMs ?? nextRunMs(definition, times));
}

function timeMs(date: string | number | undefined): number | undefined {
  if (date === undefined) return undefined;
  return typeof date === "number" ? date * 1000 : Date.parse(date);
}
