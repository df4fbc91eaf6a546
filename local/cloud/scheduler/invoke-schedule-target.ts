import { randomUUID } from "node:crypto";
import { type InvokeTarget, requiredAction, type TargetCall } from "../eventbridge/targets.ts";
import { type Access, AccessDenied } from "../iam/access.ts";
import type { Role } from "../iam/roles.ts";
import { arnOf, type CloudLocation } from "../location.ts";
import { groupOf, type ScheduleDefinition } from "./schedule-store.ts";

interface Options {
  readonly location: CloudLocation;
  readonly roles: ReadonlyMap<string, Role>;
  readonly access: Pick<Access, "assertCaller">;
  readonly invokeTarget: InvokeTarget;
  readonly nowMs: () => number;
}

/** An attempt at a delivery. */
export interface Attempt {
  /** When the schedule was due. */
  readonly scheduledMs: number;
  /** The number of the attempt, from 1. */
  readonly number: number;
}

export type InvokeScheduleTarget = (definition: ScheduleDefinition, attempt: Attempt) => Promise<void>;

/** A delivery has failed and must be repeated. */
export class DeliveryPostponed extends Error {
  override readonly name = "DeliveryPostponed";
  readonly afterMs: number;

  constructor(cause: unknown, afterMs: number) {
    super(String(cause), { cause });
    this.afterMs = afterMs;
  }
}

/** @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html */
const usualRetries = 185;
const usualAgeSeconds = 86_400;

const firstPauseMs = 1000;
const maxPauseMs = 60_000;

export function scheduleArn(definition: ScheduleDefinition, location: CloudLocation): string {
  return arnOf(location, "scheduler", `schedule/${groupOf(definition)}/${definition.Name}`);
}

/**
 * Returns whether the scheduler may assume the role for a schedule. Roles name the ARN of the schedule's
 * group.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
 */
export function isTrustedTo(
  role: Role | undefined,
  definition: ScheduleDefinition,
  location: CloudLocation,
): role is Role {
  const arn = arnOf(location, "scheduler", `schedule-group/${groupOf(definition)}`);
  return role?.trusts("scheduler.amazonaws.com", { account: location.account, arn }) ?? false;
}

/**
 * Creates a function that delivers the input of a schedule to its target, with the schedule's role. If the
 * retry policy permits no further attempt, the input is sent to the schedule's dead-letter queue, if there is
 * one. A delivery that is not permitted is not retried.
 *
 * @throws DeliveryPostponed if the delivery must be repeated
 * @throws the cause of a failed delivery, e.g. AccessDenied.
 */
export function createScheduleTargetInvoker({
  location,
  roles,
  access,
  invokeTarget,
  nowMs,
}: Options): InvokeScheduleTarget {
  async function invokeAs(definition: ScheduleDefinition, delivery: TargetCall): Promise<void> {
    const { RoleArn } = definition.Target;
    const role = roles.get(RoleArn);
    if (!isTrustedTo(role, definition, location)) {
      throw new AccessDenied(`scheduler.amazonaws.com is not authorized to assume ${RoleArn}`);
    }
    const caller = { role, session: definition.Name };
    access.assertCaller(caller, {
      action: requiredAction(delivery.arn),
      resource: delivery.arn,
      context: {},
    });
    await invokeTarget(delivery);
  }

  return async (definition, attempt) => {
    const { Arn, Input, SqsParameters, DeadLetterConfig } = definition.Target;
    const arn = scheduleArn(definition, location);
    const payload = fillInput(Input, attempt, { arn, location });
    try {
      await invokeAs(definition, { arn: Arn, payload, groupId: SqsParameters?.MessageGroupId });
    } catch (error) {
      const afterMs = pauseMs(definition, attempt, nowMs());
      if (afterMs !== undefined && !(error instanceof AccessDenied))
        throw new DeliveryPostponed(error, afterMs);
      if (DeadLetterConfig?.Arn !== undefined) {
        const attributes = {
          SCHEDULE_ARN: arn,
          TARGET_ARN: Arn,
          ERROR_CODE: error instanceof Error ? error.name : "Error",
          ERROR_MESSAGE: String(error),
        };
        await invokeAs(definition, { arn: DeadLetterConfig.Arn, payload, attributes });
      }
      throw error;
    }
  };
}

/** Returns the wait before the next attempt; undefined if there is none. */
function pauseMs(
  { Target: { RetryPolicy = {} } }: ScheduleDefinition,
  { scheduledMs, number }: Attempt,
  nowMs: number,
): number | undefined {
  const { MaximumRetryAttempts = usualRetries, MaximumEventAgeInSeconds = usualAgeSeconds } = RetryPolicy;
  const pause = Math.min(firstPauseMs * 2 ** (number - 1), maxPauseMs);
  const isTooOld = nowMs + pause - scheduledMs > MaximumEventAgeInSeconds * 1000;
  return number > MaximumRetryAttempts || isTooOld ? undefined : pause;
}

/** @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
function fillInput(
  input: string | undefined,
  { scheduledMs, number }: Attempt,
  { arn, location }: { arn: string; location: CloudLocation },
): string {
  const time = new Date(scheduledMs).toISOString().replace(/\.\d{3}Z$/, "Z");
  const id = randomUUID();
  if (input === undefined) {
    return JSON.stringify({
      version: "0",
      id,
      "detail-type": "Scheduled Event",
      source: "aws.scheduler",
      account: location.account,
      time,
      region: location.region,
      resources: [arn],
      detail: "{}",
    });
  }
  return input
    .replaceAll("<aws.scheduler.scheduled-time>", time)
    .replaceAll("<aws.scheduler.schedule-arn>", arn)
    .replaceAll("<aws.scheduler.execution-id>", id)
    .replaceAll("<aws.scheduler.attempt-number>", String(number));
}
