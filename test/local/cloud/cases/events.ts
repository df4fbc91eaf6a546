import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SmallCloud } from "../small-cloud.ts";

/** Events go to the targets of rules; functions may be invoked as events. */
export function eventCases(small: SmallCloud): void {
  describe("events", () => {
    test("one that a rule matches → in the queue of its target, and in the journal", async () => {
      const entry = (DetailType: string) => ({
        EventBusName: "small-bus",
        Source: "small",
        DetailType,
        Detail: '{"n":1}',
      });
      const answer = await small.call("events", "PutEventsCommand", {
        Entries: [entry("job.finished"), entry("job.begun")],
      });
      expect(answer).toMatchObject({ FailedEntryCount: 0 });
      const { Messages } = (await small.asAdmin("ReceiveMessage", {
        QueueUrl: small.queueUrl("small-open"),
        MaxNumberOfMessages: 10,
      })) as {
        Messages: { Body: string }[];
      };
      expect(Messages.map(({ Body }) => JSON.parse(Body))).toMatchObject([
        { "detail-type": "job.finished", detail: { n: 1 } },
      ]);
      const journal = readFileSync(join(small.stateDir, "events.ndjson"), "utf8").trim().split("\n");
      expect(journal.map((line) => JSON.parse(line)["detail-type"])).toEqual(["job.finished", "job.begun"]);
    });

    test("no JSON object as detail → that entry fails", async () => {
      const Entries = [{ EventBusName: "small-bus", Source: "a", DetailType: "b", Detail: "[]" }];
      expect(await small.call("events", "PutEventsCommand", { Entries })).toMatchObject({
        FailedEntryCount: 1,
      });
    });
  });

  test("a function invoked as an event → runs, though nobody waits for it", async () => {
    const answer = await fetch(`${small.cloud.gatewayUrl}/2015-03-31/functions/small-work/invocations`, {
      method: "POST",
      headers: {
        authorization: small.adminAuthorization("lambda"),
        "x-amz-invocation-type": "Event",
      },
      body: JSON.stringify({
        Records: [{ body: '{"id":"event"}', attributes: { ApproximateReceiveCount: "1" } }],
      }),
    });
    expect(answer.status).toBe(202);
    await small.cloud.waitUntilIdle();
    expect(await small.done("event")).toEqual(["event#1"]);
  });
}
