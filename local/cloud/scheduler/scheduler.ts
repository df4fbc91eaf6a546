import { isDeepStrictEqual } from "node:util";
import { crc32 } from "node:zlib";
import { ConfigError } from "../../../shared/core/errors.ts";
import { type Attempt, DeliveryPostponed, type InvokeScheduleTarget } from "./invoke-schedule-target.ts";
import { parseScheduleExpression } from "./schedule-expression.ts";
import { groupOf, type ScheduleDefinition, type ScheduleStore } from "./schedule-store.ts";

/** Which schedules of the templates fire: `periodsMs` names those that do, with their periods; `allExcept` those that do not. */
export type ScheduleChoice =
  | "all"
  | "none"
  | { readonly periodsMs: Readonly<Record<string, number>> }
  | { readonly allExcept: readonly string[] };

export interface Scheduler {
  /** Loads the schedules of the templates, and deletes those that are no longer in them. */
  load(definitions: readonly ScheduleDefinition[], choice: ScheduleChoice): void;
  /** Creates or replaces a schedule of the API. */
  put(definition: ScheduleDefinition): void;
  remove(group: string, name: string): void;
  /** Fires all due schedules, and sets their next times. */
  tick(): Promise<void>;
  /** Fires due schedules from now on. */
  start(): void;
  stop(): Promise<void>;
}

interface Options {
  readonly store: ScheduleStore;
  readonly nowMs: () => number;
  readonly invokeTarget: InvokeScheduleTarget;
  readonly reportError: (problem: string) => void;
  /** Whether schedules fire up to a minute late, as the service does. Absent: they fire on time. */
  readonly isLate?: boolean;
}

/**
 * "If you set your schedule to run at 1:00, it will invoke the target API between 1:00:00 and 1:00:59."
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
const precisionMs = 60_000;

/** How often schedules that are due are looked at when they fire late. */
const lateStepMs = 1000;

/** Node's timers overflow beyond 24 days; a check once a minute is cheap. */
const maxSleepMs = 60_000;

export function createScheduler({
  store,
  nowMs,
  invokeTarget,
  reportError,
  isLate = false,
}: Options): Scheduler {
  const periods = new Map<string, number>();
  /** The attempts that postponed deliveries have had, by group and name. A restart begins them anew. */
  const postponed = new Map<string, Attempt>();
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let ticking: Promise<void> = Promise.resolve();

  /** The next firing time after the creation or the last firing. */
  function nextRunMs(definition: ScheduleDefinition, lastMs?: number): number | null {
    if (definition.State === "DISABLED") return null;
    const earliest = Math.max(nowMs(), timeMs(definition.StartDate) ?? 0);
    const everyMs = periods.get(definition.Name);
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

  /** After a restart, an overdue rate or date fires at once; a cron time that has passed is skipped. */
  function resumedNextMs(definition: ScheduleDefinition): number | null {
    const known = store.get(groupOf(definition), definition.Name);
    const isSame = known !== undefined && isDeepStrictEqual(known.definition, definition);
    const isCron = definition.ScheduleExpression.startsWith("cron(");
    if (!isSame || isCron || periods.has(definition.Name)) return nextRunMs(definition);
    return definition.ScheduleExpression.startsWith("at(")
      ? known.nextMs
      : (known.nextMs ?? nextRunMs(definition));
  }

  /** The same for a schedule and a time, also after a restart. */
  function latenessMs(name: string, dueMs: number): number {
    return isLate && !periods.has(name) ? crc32(`${name} ${dueMs}`) % precisionMs : 0;
  }

  /** @returns after how long the delivery is to be repeated; undefined when it has ended */
  async function deliver(definition: ScheduleDefinition, attempt: Attempt): Promise<number | undefined> {
    try {
      await invokeTarget(definition, attempt);
    } catch (error) {
      if (error instanceof DeliveryPostponed) return error.afterMs;
      reportError(`schedule ${definition.Name}: ${error instanceof Error ? error.message : error}`);
    }
    return undefined;
  }

  async function fireDue(): Promise<void> {
    for (const { definition, nextMs } of store.due(nowMs())) {
      const { Name, ActionAfterCompletion } = definition;
      const group = groupOf(definition);
      const key = `${group}/${Name}`;
      const earlier = postponed.get(key);
      const scheduledMs = earlier?.scheduledMs ?? nextMs ?? nowMs();
      const attempt = { scheduledMs, number: (earlier?.number ?? 0) + 1 };
      if (earlier === undefined && nowMs() < scheduledMs + latenessMs(Name, scheduledMs)) continue;
      const isStillDue = () => store.get(group, Name)?.nextMs === nextMs;
      if (!isStillDue()) continue;
      const repeatAfterMs = await deliver(definition, attempt);
      postponed.delete(key);
      if (!isStillDue()) continue; // It was changed or deleted meanwhile.
      if (repeatAfterMs !== undefined) {
        postponed.set(key, attempt);
        store.setNext(group, Name, nowMs() + repeatAfterMs);
        continue;
      }
      const next = nextRunMs(definition, scheduledMs);
      if (next === null && ActionAfterCompletion === "DELETE") store.remove(group, Name);
      else store.setNext(group, Name, next);
    }
  }

  /** Runs ticks one after the other: a schedule stays due until its delivery ends. */
  function tick(): Promise<void> {
    ticking = ticking.then(fireDue);
    return ticking;
  }

  function sleep(): void {
    clearTimeout(timer);
    if (!running) return;
    const earliest = store.earliestMs() ?? Infinity;
    const sleepMs = Math.min(maxSleepMs, Math.max(isLate ? lateStepMs : 0, earliest - nowMs()));
    timer = setTimeout(() => void tick().finally(sleep), sleepMs);
  }

  function put(definition: ScheduleDefinition, origin: "template" | "api", nextMs: number | null): void {
    const createdMs = store.get(groupOf(definition), definition.Name)?.createdMs ?? nowMs();
    store.put({ definition, origin, createdMs, modifiedMs: nowMs(), nextMs });
  }

  return {
    load: (definitions, choice) => {
      assertSchedulesExist(namedIn(choice), definitions);
      if (typeof choice === "object" && "periodsMs" in choice) {
        for (const [name, everyMs] of Object.entries(choice.periodsMs)) periods.set(name, everyMs);
      }
      for (const { definition, origin } of store.all()) {
        const stays = definitions.some(
          (each) => each.Name === definition.Name && groupOf(each) === groupOf(definition),
        );
        if (origin === "template" && !stays) store.remove(groupOf(definition), definition.Name);
      }
      for (const definition of definitions) {
        const { Name } = definition;
        const isNotExcluded =
          typeof choice === "object" && "allExcept" in choice && !choice.allExcept.includes(Name);
        const isChosen = choice === "all" || isNotExcluded || periods.has(Name);
        put(definition, "template", isChosen ? resumedNextMs(definition) : null);
      }
      sleep();
    },
    put: (definition) => {
      put(definition, "api", nextRunMs(definition));
      sleep();
    },
    remove: (group, name) => {
      store.remove(group, name);
      sleep();
    },
    tick,
    start: () => {
      running = true;
      sleep();
    },
    stop: async () => {
      running = false;
      clearTimeout(timer);
      await ticking;
    },
  };
}

function timeMs(date: string | number | undefined): number | undefined {
  if (date === undefined) return undefined;
  return typeof date === "number" ? date * 1000 : Date.parse(date);
}

function namedIn(choice: ScheduleChoice): readonly string[] {
  if (typeof choice === "string") return [];
  return "periodsMs" in choice ? Object.keys(choice.periodsMs) : choice.allExcept;
}

/** Refuses unknown names: a typo would leave a schedule running that was meant to stop, or the reverse. */
function assertSchedulesExist(names: readonly string[], definitions: readonly ScheduleDefinition[]): void {
  const unknown = names.find((name) => !definitions.some(({ Name }) => Name === name));
  if (unknown !== undefined) throw new ConfigError(`there is no schedule ${unknown} in the templates`);
}
