import { crc32 } from "node:zlib";
import { ConfigError } from "../../../shared/core/errors.ts";
import { type Attempt, DeliveryPostponed, type InvokeScheduleTarget } from "./invoke-schedule-target.ts";
import { nextRunMs, resumedRunMs } from "./next-run.ts";
import { groupOf, type ScheduleDefinition, type ScheduleStore } from "./schedule-store.ts";

/**
 * Which schedules of the templates fire. `periodsMs` names those that fire, with their periods; `allExcept`
 * names those that do not.
 */
export type ScheduleChoice =
  | "all"
  | "none"
  | { readonly periodsMs: Readonly<Record<string, number>> }
  | { readonly allExcept: readonly string[] };

interface Options {
  readonly store: ScheduleStore;
  readonly nowMs: () => number;
  readonly invokeTarget: InvokeScheduleTarget;
  readonly reportError: (problem: string) => void;
  /** Whether schedules fire up to a minute late, as on AWS. Default: they fire on time. */
  readonly isLate?: boolean;
}

/**
 * "If you set your schedule to run at 1:00, it will invoke the target API between 1:00:00 and 1:00:59."
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
const precisionMs = 60_000;

/** How often due schedules are checked when they fire late. */
const lateStepMs = 1000;

/** The maximum wait of a timer. The clock may jump, for example when the machine wakes up, and a check is cheap. */
const maxSleepMs = 1000;

/** Fires the schedules of a store when they are due. */
export class Scheduler {
  private readonly options: Options;
  /** The periods that replace the expressions of schedules, by name. */
  private readonly periods = new Map<string, number>();
  /** The attempts so far of postponed deliveries, by group and name. A restart resets them. */
  private readonly postponed = new Map<string, Attempt>();
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private ticking: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.options = options;
  }

  /** Stores the schedules of the templates, and deletes those that are no longer in the templates. */
  load(definitions: readonly ScheduleDefinition[], choice: ScheduleChoice): void {
    const { store } = this.options;
    assertSchedulesExist(namedIn(choice), definitions);
    if (typeof choice === "object" && "periodsMs" in choice) {
      for (const [name, everyMs] of Object.entries(choice.periodsMs)) this.periods.set(name, everyMs);
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
      const isChosen = choice === "all" || isNotExcluded || this.periods.has(Name);
      const known = store.get(groupOf(definition), Name);
      const nextMs = isChosen ? resumedRunMs(definition, known, this.timesOf(Name)) : null;
      this.keep(definition, "template", nextMs);
    }
    this.sleep();
  }

  /** Creates or replaces a schedule that was sent to the API. */
  put(definition: ScheduleDefinition): void {
    this.keep(definition, "api", nextRunMs(definition, this.timesOf(definition.Name)));
    this.sleep();
  }

  remove(group: string, name: string): void {
    this.options.store.remove(group, name);
    this.sleep();
  }

  /**
   * Fires all due schedules, and sets their next times. Ticks run one after the other, because a schedule
   * remains due until its delivery ends.
   */
  tick(): Promise<void> {
    this.ticking = this.ticking.then(() => this.fireDue());
    return this.ticking;
  }

  /** Returns when the next schedule is due; undefined if none is. */
  nextDueMs(): number | undefined {
    return this.options.store.earliestMs() ?? undefined;
  }

  /** Starts firing due schedules. */
  start(): void {
    this.isRunning = true;
    this.sleep();
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    clearTimeout(this.timer);
    await this.ticking;
  }

  private keep(definition: ScheduleDefinition, origin: "template" | "api", nextMs: number | null): void {
    const { store, nowMs } = this.options;
    const createdMs = store.get(groupOf(definition), definition.Name)?.createdMs ?? nowMs();
    store.put({ definition, origin, createdMs, modifiedMs: nowMs(), nextMs });
  }

  private timesOf(name: string): { nowMs: number; everyMs: number | undefined } {
    return { nowMs: this.options.nowMs(), everyMs: this.periods.get(name) };
  }

  private sleep(): void {
    clearTimeout(this.timer);
    if (!this.isRunning) return;
    const { store, nowMs, isLate } = this.options;
    const earliest = store.earliestMs() ?? Infinity;
    const sleepMs = Math.min(maxSleepMs, Math.max(isLate ? lateStepMs : 0, earliest - nowMs()));
    this.timer = setTimeout(() => void this.tick().finally(() => this.sleep()), sleepMs);
  }

  private async fireDue(): Promise<void> {
    const { store, nowMs } = this.options;
    for (const { definition, nextMs } of store.due(nowMs())) {
      const { Name, ActionAfterCompletion } = definition;
      const group = groupOf(definition);
      const key = `${group}/${Name}`;
      const earlier = this.postponed.get(key);
      const scheduledMs = earlier?.scheduledMs ?? nextMs ?? nowMs();
      const attempt = { scheduledMs, number: (earlier?.number ?? 0) + 1 };
      if (earlier === undefined && nowMs() < scheduledMs + this.latenessMs(Name, scheduledMs)) continue;
      const isStillDue = () => store.get(group, Name)?.nextMs === nextMs;
      if (!isStillDue()) continue;
      const repeatAfterMs = await this.deliver(definition, attempt);
      this.postponed.delete(key);
      if (!isStillDue()) continue; // The schedule was changed or deleted meanwhile.
      if (repeatAfterMs !== undefined) {
        this.postponed.set(key, attempt);
        store.setNext(group, Name, nowMs() + repeatAfterMs);
        continue;
      }
      const next = nextRunMs(definition, { ...this.timesOf(Name), lastMs: scheduledMs });
      if (next === null && ActionAfterCompletion === "DELETE") store.remove(group, Name);
      else store.setNext(group, Name, next);
    }
  }

  /** Returns a delay that is always the same for a schedule and a due time, even after a restart. */
  private latenessMs(name: string, dueMs: number): number {
    return this.options.isLate && !this.periods.has(name) ? crc32(`${name} ${dueMs}`) % precisionMs : 0;
  }

  /** Delivers a schedule. @returns the delay before the delivery is repeated; undefined if it has ended */
  private async deliver(definition: ScheduleDefinition, attempt: Attempt): Promise<number | undefined> {
    const { invokeTarget, reportError } = this.options;
    try {
      await invokeTarget(definition, attempt);
    } catch (error) {
      if (error instanceof DeliveryPostponed) return error.afterMs;
      reportError(`schedule ${definition.Name}: ${error instanceof Error ? error.message : error}`);
    }
    return undefined;
  }
}

function namedIn(choice: ScheduleChoice): readonly string[] {
  if (typeof choice === "string") return [];
  return "periodsMs" in choice ? Object.keys(choice.periodsMs) : choice.allExcept;
}

/**
 * Refuses unknown names, because a typo would leave a schedule running that should be stopped, or the
 * reverse.
 */
function assertSchedulesExist(names: readonly string[], definitions: readonly ScheduleDefinition[]): void {
  const unknown = names.find((name) => !definitions.some(({ Name }) => Name === name));
  if (unknown !== undefined) throw new ConfigError(`the schedule ${unknown} is not in the templates`);
}
