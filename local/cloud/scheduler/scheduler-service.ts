import { join } from "node:path";
import type { Resolver } from "../cloudformation/resolver.ts";
import type { InvokeTarget } from "../eventbridge/targets.ts";
import type { Access } from "../iam/access.ts";
import type { Role } from "../iam/roles.ts";
import type { CloudLocation } from "../location.ts";
import type { Service } from "../service.ts";
import type { Shutdown } from "../shutdown.ts";
import { createScheduleTargetInvoker } from "./invoke-schedule-target.ts";
import { openScheduleStore, type ScheduleDefinition } from "./schedule-store.ts";
import { type ScheduleChoice, Scheduler } from "./scheduler.ts";
import { createSchedulerApi } from "./scheduler-api.ts";
import { validateSchedule } from "./validate-schedule.ts";

interface Options {
  readonly stateDir: string;
  readonly location: CloudLocation;
  readonly roles: ReadonlyMap<string, Role>;
  readonly access: Access;
  readonly invokeTarget: InvokeTarget;
  readonly choice: ScheduleChoice;
  readonly reportError: (problem: string) => void;
  /** See `Scheduler`. */
  readonly isLate: boolean;
  readonly shutdown: Shutdown;
}

/** Creates EventBridge Scheduler with the schedules of templates and functions. The caller must start it. */
export function createSchedulerService(
  resolver: Resolver,
  { stateDir, location, roles, access, invokeTarget, choice, reportError, isLate, shutdown }: Options,
): { scheduler: Scheduler; service: Service } {
  const store = openScheduleStore(join(stateDir, "schedules.db"));
  shutdown.add(store.close);
  const scheduler = new Scheduler({
    store,
    nowMs: Date.now,
    invokeTarget: createScheduleTargetInvoker({ location, roles, access, invokeTarget, nowMs: Date.now }),
    reportError,
    isLate,
  });
  const definitions = resolver
    .resourcesOfType<ScheduleDefinition>("AWS::Scheduler::Schedule")
    .map(({ name, properties }) => ({ ...properties, Name: name }));
  for (const definition of definitions) validateSchedule(definition);
  scheduler.load(definitions, choice);
  const groups = resolver.resourcesOfType("AWS::Scheduler::ScheduleGroup").map(({ name }) => name);
  return { scheduler, service: createSchedulerApi({ location, roles, store, scheduler, groups }) };
}
