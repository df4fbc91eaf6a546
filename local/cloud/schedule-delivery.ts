import { randomUUID } from "node:crypto";
import { type Access, AccessDenied } from "./access.ts";
import type { Place } from "./resources.ts";
import type { Role } from "./roles.ts";
import { groupOf, type ScheduleDefinition } from "./schedule-store.ts";
import { type Deliver, type Delivery, permissionOf } from "./targets.ts";

interface Options {
  readonly place: Place;
  readonly roles: ReadonlyMap<string, Role>;
  readonly access: Pick<Access, "assertCaller">;
  readonly deliver: Deliver;
}

export type DeliverSchedule = (definition: ScheduleDefinition, scheduledMs: number) => Promise<void>;

export function scheduleArn(definition: ScheduleDefinition, { region, account }: Place): string {
  return `arn:aws:scheduler:${region}:${account}:schedule/${groupOf(definition)}/${definition.Name}`;
}

/**
 * Whether the service may act in the role for the schedules of the definition's group, which is whose ARN roles name.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
 */
export function isTrustedTo(
  role: Role | undefined,
  definition: ScheduleDefinition,
  place: Place,
): role is Role {
  const { region, account } = place;
  const arn = `arn:aws:scheduler:${region}:${account}:schedule-group/${groupOf(definition)}`;
  return role?.trusts("scheduler.amazonaws.com", { account, arn }) ?? false;
}

/**
 * Delivers the input of a schedule to its target, in the schedule's own role; what cannot be delivered goes to the
 * schedule's dead-letter queue, if it has one. Nothing is tried again here.
 *
 * @throws what keeps it from being delivered, e.g. AccessDenied when the role may not do it.
 */
export function createDeliverSchedule({ place, roles, access, deliver }: Options): DeliverSchedule {
  async function deliverAs(definition: ScheduleDefinition, delivery: Delivery): Promise<void> {
    const { RoleArn } = definition.Target;
    const role = roles.get(RoleArn);
    if (!isTrustedTo(role, definition, place)) {
      throw new AccessDenied(`scheduler.amazonaws.com is not authorized to assume ${RoleArn}`);
    }
    const caller = { role, session: definition.Name };
    access.assertCaller(caller, { action: permissionOf(delivery.arn), resource: delivery.arn, context: {} });
    await deliver(delivery);
  }

  return async (definition, scheduledMs) => {
    const { Arn, Input, SqsParameters, DeadLetterConfig } = definition.Target;
    const arn = scheduleArn(definition, place);
    const payload = filledInput(Input, scheduledMs, { arn, place });
    try {
      await deliverAs(definition, { arn: Arn, payload, groupId: SqsParameters?.MessageGroupId });
    } catch (error) {
      if (DeadLetterConfig?.Arn !== undefined) {
        const attributes = { SCHEDULE_ARN: arn, TARGET_ARN: Arn, ERROR_MESSAGE: String(error) };
        await deliverAs(definition, { arn: DeadLetterConfig.Arn, payload, attributes });
      }
      throw error;
    }
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
