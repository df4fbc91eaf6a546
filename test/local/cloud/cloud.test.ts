import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startCloud } from "../../../local/cloud/cloud.ts";
import { eventCases } from "./cases/events.ts";
import { httpApiCases } from "./cases/http-api.ts";
import { mailCases } from "./cases/mail.ts";
import { messageCases } from "./cases/messages.ts";
import { permissionCases } from "./cases/permissions.ts";
import { recursionCases } from "./cases/recursion.ts";
import { scheduleCases } from "./cases/schedules.ts";
import { serviceCases } from "./cases/services.ts";
import { SmallCloud, scheduleInput } from "./small-cloud.ts";

// One cloud for all cases: to start it takes longer than most of them do.
const small = new SmallCloud();
beforeAll(() => small.start());
afterAll(() => small.stop());
beforeEach(() => {
  small.logs.length = 0;
});

messageCases(small);
permissionCases(small);
recursionCases(small);
serviceCases(small);
scheduleCases(small);
mailCases(small);
eventCases(small);
httpApiCases(small);

test("a second start on the same folder → says who holds it", async () => {
  await expect(startCloud({ assemblyDir: small.assemblyDir, stateDir: small.stateDir })).rejects.toThrow(
    `in use by process ${process.pid}`,
  );
});

test("the variables of the functions → those of the templates, resolved", () => {
  expect(small.cloud.variables).toMatchObject({
    GREETING: "hello",
    DONE_TABLE: "small-done",
    OPEN_QUEUE: small.queueUrl("small-open"),
  });
});

test("stopped and started again → messages, objects, items and schedules are there", async () => {
  const place = { Bucket: "small-kept", Key: "mine/stays" };
  const later = scheduleInput("stays");
  await small.call("s3", "PutObjectCommand", { ...place, Body: "here" });
  await small.call("scheduler", "CreateScheduleCommand", later);
  await small.asAdmin("PurgeQueue", { QueueUrl: small.queueUrl("small-open") });
  await small.send("small-open", { id: "stays" });
  const before = await small.done("");
  await small.stop();
  await small.start({ Greeting: "again" });
  expect(await small.done("")).toEqual(before);
  expect(await small.call("s3", "GetObjectCommand", place)).toMatchObject({ Body: "here" });
  expect(
    await small.call("scheduler", "GetScheduleCommand", { Name: "stays", GroupName: "small" }),
  ).toMatchObject({
    State: "ENABLED",
  });
  expect(await small.asAdmin("ReceiveMessage", { QueueUrl: small.queueUrl("small-open") })).toMatchObject({
    Messages: [{ Body: '{"id":"stays"}' }],
  });
  expect(small.cloud.variables.GREETING).toBe("again");
});
