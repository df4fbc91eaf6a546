import { describe, expect, test } from "vitest";
import { type SmallCloud, scheduleInput } from "../small-cloud.ts";

/** Schedules are kept, and their messages delivered. */
export function scheduleCases(small: SmallCloud): void {
  describe("schedules", () => {
    test("of the API, its time is over → delivered with its attributes, and deleted", async () => {
      // Far enough ahead that the call is not refused on a busy machine, where it may take a second.
      const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3000).toISOString().slice(0, 19);
      const soon = { ...scheduleInput("soon"), ScheduleExpression: `at(${at})` };
      expect(await small.call("scheduler", "CreateScheduleCommand", soon)).not.toHaveProperty("error");
      await expect
        .poll(() => small.asAdmin("ReceiveMessage", { QueueUrl: small.queueUrl("small-open") }))
        .toMatchObject({ Messages: [{ Body: `{"id":"s","at":"${at}Z"}` }] });
      const found = () => small.call("scheduler", "GetScheduleCommand", { Name: "soon", GroupName: "small" });
      await expect.poll(found).toMatchObject({ error: "ResourceNotFoundException" });
    });

    test("created, read, changed, listed, deleted → as AWS answers", async () => {
      const later = scheduleInput("later");
      const id = { Name: "later", GroupName: "small" };
      const Arn = "arn:aws:scheduler:eu-central-1:000000000000:schedule/small/later";
      expect(await small.call("scheduler", "CreateScheduleCommand", later)).toMatchObject({
        ScheduleArn: Arn,
      });
      expect(await small.call("scheduler", "CreateScheduleCommand", later)).toMatchObject({
        error: "ConflictException",
      });
      expect(
        await small.call("scheduler", "UpdateScheduleCommand", { ...later, State: "DISABLED" }),
      ).toMatchObject({
        ScheduleArn: Arn,
      });
      expect(await small.call("scheduler", "GetScheduleCommand", id)).toMatchObject({
        ...id,
        Arn,
        State: "DISABLED",
      });
      expect(await small.call("scheduler", "ListSchedulesCommand", { NamePrefix: "later" })).toMatchObject({
        Schedules: [{ ...id, Arn }],
      });
      await small.call("scheduler", "DeleteScheduleCommand", id);
      expect(await small.call("scheduler", "GetScheduleCommand", id)).toMatchObject({
        error: "ResourceNotFoundException",
      });
    });

    test("created for, or changed to, a time that has passed → refused", async () => {
      const passed = { ...scheduleInput("new"), ScheduleExpression: "at(2020-01-01T00:00:00)" };
      const refused = {
        error: "ValidationException",
        message: "The time of at(2020-01-01T00:00:00) has passed.",
      };
      expect(await small.call("scheduler", "CreateScheduleCommand", passed)).toMatchObject(refused);
      await small.call("scheduler", "CreateScheduleCommand", scheduleInput("known"));
      const known = { ...passed, Name: "known" };
      expect(await small.call("scheduler", "UpdateScheduleCommand", known)).toMatchObject(refused);
    });

    test("a target that is neither queue nor function → refused", async () => {
      const RoleArn = "arn:aws:iam::000000000000:role/small-schedules";
      const wrong = scheduleInput("wrong", { Arn: "arn:aws:sns:eu-central-1:000000000000:topic", RoleArn });
      expect(await small.call("scheduler", "CreateScheduleCommand", wrong)).toMatchObject({
        error: "ValidationException",
        message: expect.stringContaining("delivers only to queues, functions and log groups"),
      });
    });
  });
}
