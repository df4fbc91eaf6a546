import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SmallCloud } from "../small-cloud.ts";

/** Queues bring their messages to functions. */
export function messageCases(small: SmallCloud): void {
  describe("messages", () => {
    test("of a FIFO group → in their order, one at a time; of several groups → all", async () => {
      small.cloud.pausePolling();
      for (const n of [1, 2, 3, 4]) {
        for (const group of ["x", "y"])
          await small.send("small-jobs.fifo", { id: `order-${group}${n}` }, group);
      }
      small.cloud.resumePolling();
      await small.cloud.waitUntilIdle();
      const order = await small.done("order-");
      expect(order.filter((id) => id.includes("x"))).toEqual([1, 2, 3, 4].map((n) => `order-x${n}#1`));
      expect(order.filter((id) => id.includes("y"))).toEqual([1, 2, 3, 4].map((n) => `order-y${n}#1`));
    });

    test("one of a batch fails → it alone comes again", async () => {
      small.cloud.pausePolling();
      await small.send("small-again", { id: "part-good" });
      await small.send("small-again", { id: "part-bad", does: "fail" });
      small.cloud.resumePolling();
      await expect.poll(() => small.done("part-")).toContain("part-bad#2");
      expect((await small.done("part-")).filter((id) => id.startsWith("part-good"))).toEqual(["part-good#1"]);
      await small.asAdmin("PurgeQueue", { QueueUrl: small.queueUrl("small-again") });
    });

    test("one that fails too often → holds up its group, then goes to the dead-letter queue", async () => {
      await small.send("small-again.fifo", { id: "dead-1", does: "fail" }, "z");
      await small.send("small-again.fifo", { id: "dead-2" }, "z");
      await small.cloud.waitUntilIdle();
      expect(await small.done("dead-")).toEqual(["dead-1#1", "dead-1#2", "dead-2#1"]);
      const { Messages } = await small.asAdmin("ReceiveMessage", {
        QueueUrl: small.queueUrl("small-again-dead.fifo"),
      });
      expect(Messages).toMatchObject([{ Body: JSON.stringify({ id: "dead-1", does: "fail" }) }]);
    });

    test("the function throws → its log says why", async () => {
      await small.send("small-plain", { id: "boom", does: "throw" });
      await expect
        .poll(() => small.logs.find(({ level }) => level === "ERROR"))
        .toMatchObject({
          functionName: "small-work",
          message: { errorType: "TypeError", errorMessage: "cannot do boom" },
        });
      await small.asAdmin("PurgeQueue", { QueueUrl: small.queueUrl("small-plain") });
    });

    test("the function hangs → it ends with a time-out, and the next message is done", async () => {
      await small.send("small-hasty", { id: "hang", does: "hang" });
      await expect
        .poll(() => small.logs.map(({ message }) => message))
        .toContainEqual("Task timed out after 5.00 seconds");
      await small.asAdmin("PurgeQueue", { QueueUrl: small.queueUrl("small-hasty") });
      await small.send("small-hasty", { id: "next", does: "log" });
      await small.cloud.waitUntilIdle();
      expect(await small.done("next")).toEqual(["next#1"]);
      const line = small.logs.find(({ message }) => (message as { id?: string }).id === "next");
      expect(line).toMatchObject({
        functionName: "small-hasten",
        level: "INFO",
        message: { message: "did" },
      });
      expect(readFileSync(join(small.stateDir, "logs", "small-hasten.log"), "utf8")).toContain('"id":"next"');
    });

    test("the function takes longer to load than it may run → done: loading does not count", async () => {
      expect(await small.cloud.invoke("small-load", {})).toBe("done");
    });

    test("the function takes more memory than the template gives it → it ends and says so, and the next message is done", async () => {
      await small.send("small-plain", { id: "fill", does: "fill" });
      await expect
        .poll(() => small.logs.map(({ message }) => message))
        .toContainEqual("small-work needs more than its 128 MB of memory");
      await small.asAdmin("PurgeQueue", { QueueUrl: small.queueUrl("small-plain") });
      await small.send("small-plain", { id: "after", does: "log" });
      await small.cloud.waitUntilIdle();
      expect(await small.done("after")).toEqual(["after#1"]);
    });

    test("visibility set to 0 → visible again, and not lost", async () => {
      await small.send("small-open", { id: "back" });
      const { Messages } = (await small.asAdmin("ReceiveMessage", {
        QueueUrl: small.queueUrl("small-open"),
      })) as {
        Messages: { ReceiptHandle: string }[];
      };
      await small.call("sqs", "ChangeMessageVisibilityCommand", {
        QueueUrl: small.queueUrl("small-open"),
        ReceiptHandle: Messages[0]?.ReceiptHandle,
        VisibilityTimeout: 0,
      });
      const again = await small.asAdmin("ReceiveMessage", {
        QueueUrl: small.queueUrl("small-open"),
        MessageSystemAttributeNames: ["ApproximateReceiveCount"],
      });
      expect(again).toMatchObject({ Messages: [{ Attributes: { ApproximateReceiveCount: "2" } }] });
      await small.asAdmin("PurgeQueue", { QueueUrl: small.queueUrl("small-open") });
    });
  });
}
