import { isDeepStrictEqual } from "node:util";
import { parseScheduleExpression } from "./schedule-expression.ts";
import type { ScheduleDefinition, StoredSchedule } from "./schedule-store.ts";

/** Times in milliseconds since the epoch. */
interface Times {
  readonly nowMs: number;
  /** The period that replaces the schedule's expression. */
  readonly everyMs: number | undefined;
  /** The last firing. Absent: the schedule is new. */
  readonly lastMs?: number;
}

/** When a schedule fires next; null: never. */
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
 * When a schedule fires after a restart: an overdue rate or date at once, while a cron time that has passed is skipped.
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
