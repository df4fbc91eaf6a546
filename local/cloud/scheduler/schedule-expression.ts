import { Cron } from "croner";
import { InputError } from "../../../shared/core/errors.ts";
import { isTimeZone } from "../../../shared/core/time-zone.ts";

/** When a schedule fires. Times are milliseconds since the epoch. */
export type Timing =
  | { readonly kind: "at"; readonly atMs: number }
  | { readonly kind: "rate"; readonly everyMs: number }
  | { readonly kind: "cron"; readonly nextAfter: (ms: number) => number | undefined };

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const cronFields = ["minutes", "hours", "day of month", "month", "day of week", "year"];

/**
 * Parses `at(2026-03-01T20:00:00)`, `rate(5 minutes)` and `cron(0 20 * * ? *)` in a time zone.
 *
 * @throws InputError for expressions that EventBridge Scheduler refuses.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function parseScheduleExpression(expression: string, timeZone = "UTC"): Timing {
  if (!isTimeZone(timeZone)) {
    throw new InputError("ScheduleExpressionTimezone", timeZone, "must be an IANA time zone");
  }
  const [, kind = "", inner = ""] = /^(at|rate|cron)\((.*)\)$/.exec(expression.trim()) ?? [];
  if (kind === "at") return at(expression, inner, timeZone);
  if (kind === "rate") return rate(expression, inner);
  if (kind === "cron") return cron(expression, inner, timeZone);
  throw new InputError("ScheduleExpression", expression, "must be at(…), rate(…) or cron(…)");
}

function at(expression: string, time: string, timeZone: string): Timing {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(time)) {
    throw new InputError("ScheduleExpression", expression, "must have a time such as yyyy-mm-ddThh:mm:ss");
  }
  // croner accepts a single date as a schedule, and applies the time zone.
  const date = new Cron(time, { timezone: timeZone }).nextRun(new Date(0));
  if (date === null) throw new InputError("ScheduleExpression", expression, "is not a valid date and time");
  return { kind: "at", atMs: date.getTime() };
}

function rate(expression: string, inner: string): Timing {
  const [, count = "", unit = ""] = /^(\d+) (minute|hour|day)s?$/.exec(inner) ?? [];
  const everyMs = Number(count) * (unitMs[unit] ?? 0);
  if (!(everyMs > 0)) {
    throw new InputError(
      "ScheduleExpression",
      expression,
      "must have a rate of a positive number of minutes, hours or days",
    );
  }
  return { kind: "rate", everyMs };
}

/**
 * Translates AWS cron fields for croner. AWS counts weekdays from 1 = Sunday, and uses `?` for the unused day
 * field. If the change to summer time skips a time, the schedule does not fire on that day.
 */
function cron(expression: string, inner: string, timeZone: string): Timing {
  const fields = inner.trim().split(/\s+/);
  const [minutes = "", hours = "", day = "", month = "", weekday = "", year = ""] = fields;
  if (fields.length !== cronFields.length) {
    throw new InputError("ScheduleExpression", expression, `needs six fields: ${cronFields.join(", ")}`);
  }
  if ((day === "?") === (weekday === "?")) {
    throw new InputError("ScheduleExpression", expression, "needs ? in either day of month or day of week");
  }
  const pattern = [
    "0",
    expandSteps(minutes, 59),
    expandSteps(hours, 23),
    day === "?" ? "*" : expandSteps(day, 31),
    expandSteps(month, 12),
    weekday === "?" ? "*" : convertWeekdays(weekday),
    year,
  ].join(" ");
  let schedule: Cron;
  try {
    schedule = new Cron(pattern, { timezone: timeZone, mode: "7-part" });
  } catch (error) {
    throw new InputError("ScheduleExpression", expression, (error as Error).message);
  }
  return {
    kind: "cron",
    nextAfter: (ms) => {
      let next = schedule.nextRun(new Date(ms));
      while (next !== null && isShiftedByDst(next, { minutes, hours }, timeZone))
        next = schedule.nextRun(next);
      return next?.getTime();
    },
  };
}

/** Converts `5/15` to `5-59/15`, because croner supports steps only for ranges. */
function expandSteps(field: string, last: number): string {
  return field.replaceAll(/(?<![-\d*])(\d+)\/(\d+)/g, `$1-${last}/$2`);
}

/** Converts weekdays from 1–7 (1 = Sunday) to 0–6. Names, `L` and the ordinal of `2#1` are unchanged. */
function convertWeekdays(field: string): string {
  return field
    .split(",")
    .map((part) => {
      const [days = "", ordinal] = part.split("#");
      const shifted = days.replaceAll(/(?<!\/)\d/g, (digit) => String(Number(digit) - 1));
      return ordinal === undefined ? shifted : `${shifted}#${ordinal}`;
    })
    .join(",");
}

/** Returns whether croner moved a skipped time to the next hour. AWS omits such a time. */
function isShiftedByDst(
  date: Date,
  { minutes, hours }: { minutes: string; hours: string },
  timeZone: string,
): boolean {
  if (!/^\d+$/.test(hours) || !/^\d+$/.test(minutes)) return false;
  const local = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(
    date,
  );
  return local !== `${hours.padStart(2, "0")}:${minutes.padStart(2, "0")}`;
}
