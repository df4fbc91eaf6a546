import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalCloud, startCloud } from "../../../local/cloud/cloud.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import type { Call } from "./fixtures/functions/call.ts";
import { smallAssembly } from "./fixtures/small-app.ts";

const folder = temporaryFolder();
let assemblyDir: string;
let cloud: LocalCloud;

beforeAll(async () => {
  assemblyDir = await smallAssembly();
  cloud = await startCloud({ assemblyDir, stateDir: join(folder, "state"), schedules: "none" });
});
afterAll(() => cloud.stop());

/** What the SDK in the function `small-call` makes of a call. */
function call(service: Call["service"], command: string, input: object) {
  return cloud.invoke("small-call", { service, command, input });
}

const kib = (count: number) => "x".repeat(count * 1024);

const schedule = (Name: string, Input: string) => ({
  Name,
  GroupName: "small",
  ScheduleExpression: "at(2999-01-01T00:00:00)",
  FlexibleTimeWindow: { Mode: "OFF" },
  Target: {
    Arn: "arn:aws:sqs:eu-central-1:000000000000:small-open",
    RoleArn: "arn:aws:iam::000000000000:role/small-schedules",
    Input,
  },
});

const event = (Detail: string) => ({ EventBusName: "small-bus", Source: "small", DetailType: "a", Detail });

const message = (MessageBody: string) => ({
  QueueUrl: `${cloud.gatewayUrl}/000000000000/small-open`,
  MessageBody,
});

describe("what AWS refuses is refused here", () => {
  test.each<[string, Call["service"], string, () => object, object]>([
    [
      "a schedule's name of 64 characters",
      "scheduler",
      "CreateSchedule",
      () => schedule(kib(1).slice(0, 64), "{}"),
      {},
    ],
    [
      "one of 65",
      "scheduler",
      "CreateSchedule",
      () => schedule(kib(1).slice(0, 65), "{}"),
      { error: "ValidationException" },
    ],
    [
      "one with a colon",
      "scheduler",
      "CreateSchedule",
      () => schedule("a:b", "{}"),
      { error: "ValidationException" },
    ],
    [
      "a schedule's input of 257 KiB",
      "scheduler",
      "CreateSchedule",
      () => schedule("long", JSON.stringify(kib(257))),
      { error: "ValidationException" },
    ],
    [
      "ten events",
      "events",
      "PutEvents",
      () => ({ Entries: Array(10).fill(event("{}")) }),
      { FailedEntryCount: 0 },
    ],
    [
      "eleven",
      "events",
      "PutEvents",
      () => ({ Entries: Array(11).fill(event("{}")) }),
      { error: "ValidationException" },
    ],
    [
      "an event of 255 KiB",
      "events",
      "PutEvents",
      () => ({ Entries: [event(JSON.stringify({ a: kib(255) }))] }),
      { FailedEntryCount: 0 },
    ],
    [
      "an event of 257 KiB",
      "events",
      "PutEvents",
      () => ({ Entries: [event(JSON.stringify({ a: kib(257) }))] }),
      { error: "ValidationException" },
    ],
    [
      "two events of 129 KiB",
      "events",
      "PutEvents",
      () => ({ Entries: Array(2).fill(event(JSON.stringify({ a: kib(129) }))) }),
      { error: "ValidationException", message: expect.stringContaining("Total size") },
    ],
    ["a message of 1 MiB", "sqs", "SendMessage", () => message(kib(1024)), { MessageId: expect.any(String) }],
    [
      "a message of more",
      "sqs",
      "SendMessage",
      () => message(`${kib(1024)}x`),
      { message: expect.stringContaining("1048576") },
    ],
    [
      "a message with U+FFFF",
      "sqs",
      "SendMessage",
      () => message("\uFFFF"),
      { error: expect.stringContaining("InvalidMessageContents") },
    ],
  ])("%s", async (_title, service, command, input, expected) => {
    expect(await call(service, `${command}Command`, input())).toMatchObject(expected);
  });

  test.each([
    ["a request of 5 MiB → the function's", kib(5 * 1024), 200],
    ["a request that makes an event of more than 6 MiB → 413", kib(6 * 1024), 413],
  ])("%s", async (_title, body, status) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${cloud.apiUrl}/records/1`, { method: "POST", headers, body });
    expect(answer.status).toBe(status);
    await answer.arrayBuffer();
  });

  test("an answer of more than 6 MiB → the invocation fails", async () => {
    for (let sent = 0; sent < 7; sent += 1) await call("sqs", "SendMessageCommand", message(kib(1000)));
    const input = { QueueUrl: message("").QueueUrl, MaxNumberOfMessages: 10 };
    await expect(call("sqs", "ReceiveMessageCommand", input)).rejects.toThrow("maximum allowed payload size");
  });
});

test("variables of more than 4 KiB → no start, with the function's name", async () => {
  const environment = { "small-work": { LONG: kib(4) } };
  await expect(
    startCloud({ assemblyDir, stateDir: join(folder, "other"), schedules: "none", environment }),
  ).rejects.toThrow(/small-work: its variables take \d+ bytes, more than 4096/);
});
