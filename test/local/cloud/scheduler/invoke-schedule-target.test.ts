import { describe, expect, it } from "vitest";
import type { TargetCall } from "../../../../local/cloud/eventbridge/targets.ts";
import { AccessDenied } from "../../../../local/cloud/iam/access.ts";
import { evaluate, type Statement } from "../../../../local/cloud/iam/policy.ts";
import type { Role } from "../../../../local/cloud/iam/roles.ts";
import { createScheduleTargetInvoker } from "../../../../local/cloud/scheduler/invoke-schedule-target.ts";

const location = { region: "r", account: "000000000000", gatewayUrl: "http://localhost", apiUrl: "" };
const target = "arn:aws:sqs:r:000000000000:work.fifo";
const dead = "arn:aws:sqs:r:000000000000:schedules-dead";
const may = (...Resource: string[]): Statement[] => [
  { Effect: "Allow", Action: "sqs:SendMessage", Resource },
];

/** What a schedule delivers whose role has these statements, and is trusted to this account. */
async function deliver(
  statements: Statement[],
  options: {
    trusted?: string;
    hasDeadLetters?: boolean;
    isBusy?: boolean;
    nowMs?: number;
    number?: number;
    RetryPolicy?: object;
  },
) {
  const { trusted = location.account, hasDeadLetters = true } = options;
  const delivered: TargetCall[] = [];
  const role: Role = {
    name: "role",
    arn: "role",
    statements,
    trusts: (_service, { account }) => account === trusted,
  };
  const run = createScheduleTargetInvoker({
    location,
    roles: new Map([["role", role]]),
    access: {
      assertCaller: (_caller: unknown, request: Parameters<typeof evaluate>[1]) => {
        if (evaluate(statements, request) !== "allow")
          throw new AccessDenied(`${request.resource} is not permitted`);
      },
    },
    invokeTarget: async (delivery) => {
      if (options.isBusy && delivery.arn === target) throw new Error("busy");
      delivered.push(delivery);
    },
    nowMs: () => options.nowMs ?? 0,
  });
  const definition = {
    Name: "once",
    GroupName: "group",
    ScheduleExpression: "at(2026-11-20T00:00:00)",
    Target: {
      Arn: target,
      RoleArn: "role",
      Input: "{}",
      SqsParameters: { MessageGroupId: "host" },
      ...(hasDeadLetters && { DeadLetterConfig: { Arn: dead } }),
      ...(options.RetryPolicy && { RetryPolicy: options.RetryPolicy }),
    },
  };
  const error = await run(definition, { scheduledMs: 0, number: options.number ?? 1 }).then(
    () => undefined,
    (reason: Error & { afterMs?: number }) => reason.afterMs ?? reason.message,
  );
  return { delivered: delivered.map(({ arn }) => arn), last: delivered.at(-1), error };
}

describe("a schedule", () => {
  it("that may send → its message is at the target, in its group", async () => {
    const { delivered, last, error } = await deliver(may(target, dead), {});
    expect([delivered, last?.groupId, error]).toEqual([[target], "host", undefined]);
  });

  it("that may not → its message goes to the dead-letter queue, with its owner and the reason", async () => {
    const { delivered, last, error } = await deliver(may(dead), {});
    expect([delivered, error]).toEqual([[dead], `${target} is not permitted`]);
    expect(last).toMatchObject({
      payload: "{}",
      attributes: {
        SCHEDULE_ARN: "arn:aws:scheduler:r:000000000000:schedule/group/once",
        TARGET_ARN: target,
        ERROR_CODE: "AccessDenied",
        ERROR_MESSAGE: `AccessDenied: ${target} is not permitted`,
      },
    });
    expect(last?.groupId).toBeUndefined();
  });

  it("that may send neither to its target nor to the dead-letter queue → says so", async () => {
    expect(await deliver([], {})).toMatchObject({ delivered: [], error: `${dead} is not permitted` });
  });

  it("without a dead-letter queue → its message is lost, and it says why", async () => {
    const outcome = await deliver(may(dead), { hasDeadLetters: false });
    expect(outcome).toMatchObject({ delivered: [], error: `${target} is not permitted` });
  });

  it("whose role is trusted to another account → nothing", async () => {
    const { delivered, error } = await deliver(may(target, dead), { trusted: "111111111111" });
    expect([delivered, error]).toEqual([[], "scheduler.amazonaws.com is not authorized to assume role"]);
  });

  it.each([
    ["the first time → again after a second", { number: 1 }, [], 1000],
    ["the fifth time → after sixteen", { number: 5 }, [], 16_000],
    [
      "as often as its policy allows → dead letter",
      { number: 3, RetryPolicy: { MaximumRetryAttempts: 2 } },
      [dead],
      "busy",
    ],
    ["for a day → dead letter", { number: 100, nowMs: 86_400_000 }, [dead], "busy"],
    [
      "for longer than its policy says → dead letter",
      { nowMs: 60_000, RetryPolicy: { MaximumEventAgeInSeconds: 60 } },
      [dead],
      "busy",
    ],
  ])("whose target fails %s", async (_title, options, delivered, error) => {
    expect(await deliver(may(target, dead), { ...options, isBusy: true })).toMatchObject({
      delivered,
      error,
    });
  });
});
