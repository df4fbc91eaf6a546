import { randomUUID } from "node:crypto";
import { type Access, AccessDenied } from "./access.ts";
import type { Place } from "./resources.ts";
import type { Role } from "./roles.ts";
import { groupOf, type ScheduleDefinition } from "./schedule-store.ts";
import { type Deliver, permissionOf } from "./targets.ts";

interface Options {
  readonly place: Place;
  readonly roles: ReadonlyMap<string, Role>;
  readonly access: Access;
  readonly deliver: Deliver;
}

export type DeliverSchedule = (definition: ScheduleDefinition, scheduledMs: number) => Promise<void>;

export function scheduleArn(definition: ScheduleDefinition, { region, account }: Place): string {
  return `arn:aws:scheduler:${region}:${account}:schedule/${groupOf(definition)}/${definition.Name}`;
}

/**
 * Delivers the input of a schedule to its target, in the schedule's own role.
 *
 * @throws AccessDenied when the role may not do it.
 */
export function createDeliverSchedule({ place, roles, access, deliver }: Options): DeliverSchedule {
  return async (definition, scheduledMs) => {
    const { Arn, RoleArn, Input, SqsParameters } = definition.Target;
    const role = roles.get(RoleArn);
    if (!role?.trusts("scheduler.amazonaws.com")) {
      throw new AccessDenied(`scheduler.amazonaws.com is not authorized to assume ${RoleArn}`);
    }
    const caller = { role, session: definition.Name };
    access.assertCaller(caller, { action: permissionOf(Arn), resource: Arn, context: {} });
    const payload = filledInput(Input, scheduledMs, { arn: scheduleArn(definition, place), place });
    await deliver({ arn: Arn, payload, groupId: SqsParameters?.MessageGroupId });
  };
}

/** @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
function filledInput(
  input: string | undefined,
  scheduledMs: number,
  { arn, place }: { arn: string; place: Place },
): string {
  const time = new Date(scheduledMs).toISOString().replace(/\.\d{3}Z$/, "Z");
  const id = randomUUID();
  if (input === undefined) {
    return JSON.stringify({
      version: "0",
      id,
      "detail-type": "Scheduled Event",
      source: "aws.scheduler",
      account: place.account,
      time,
      region: place.region,
      resources: [arn],
      detail: "{}",
    });
  }
  return input
    .replaceAll("<aws.scheduler.scheduled-time>", time)
    .replaceAll("<aws.scheduler.schedule-arn>", arn)
    .replaceAll("<aws.scheduler.execution-id>", id)
    .replaceAll("<aws.scheduler.attempt-number>", "1");
}
