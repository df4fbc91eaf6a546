import { join } from "node:path";
import type { Access } from "./access.ts";
import type { Resolver } from "./resolver.ts";
import type { Place } from "./resources.ts";
import type { Role } from "./roles.ts";
import { createDeliverSchedule } from "./schedule-delivery.ts";
import { openScheduleStore, type ScheduleDefinition } from "./schedule-store.ts";
import { createScheduler, type ScheduleChoice, type Scheduler } from "./scheduler.ts";
import { createSchedulerApi } from "./scheduler-api.ts";
import type { Service } from "./service.ts";
import type { Shutdown } from "./shutdown.ts";
import type { Deliver } from "./targets.ts";

interface Options {
  readonly stateDir: string;
  readonly place: Place;
  readonly roles: ReadonlyMap<string, Role>;
  readonly access: Access;
  readonly deliver: Deliver;
  readonly choice: ScheduleChoice;
  readonly report: (problem: string) => void;
  readonly shutdown: Shutdown;
}

/** EventBridge Scheduler with the schedules of the templates and those that functions made. It does not run yet. */
export function createScheduling(
  resolver: Resolver,
  { stateDir, place, roles, access, deliver, choice, report, shutdown }: Options,
): { scheduler: Scheduler; service: Service } {
  const store = openScheduleStore(join(stateDir, "schedules.db"));
  shutdown.add(store.close);
  const scheduler = createScheduler({
    store,
    nowMs: Date.now,
    deliver: createDeliverSchedule({ place, roles, access, deliver }),
    report,
  });
  const definitions = resolver
    .ofType<ScheduleDefinition>("AWS::Scheduler::Schedule")
    .map(({ name, properties }) => ({ ...properties, Name: name }));
  scheduler.load(definitions, choice);
  const groups = resolver.ofType("AWS::Scheduler::ScheduleGroup").map(({ name }) => name);
  return { scheduler, service: createSchedulerApi({ place, roles, store, scheduler, groups }) };
}
