import { describe, expect, test } from "vitest";
import type { SmallCloud } from "../small-cloud.ts";

/** Lambda stops chains of messages that pass a function too often. */
export function recursionCases(small: SmallCloud): void {
  const start = (queue: string, id: string, left: number) =>
    small.asAdmin("SendMessage", {
      QueueUrl: small.queueUrl(queue),
      MessageBody: JSON.stringify({ id, left }),
    });
  /** How often a chain has passed a function. */
  const passes = (functionName: string, id: string) =>
    small.logs.filter(
      (line) => line.functionName === functionName && (line.message as { id?: string }).id === id,
    ).length;
  const dropped = () =>
    small.logs
      .filter(({ metric }) => metric === "RecursiveInvocationsDropped")
      .map((line) => line.functionName);
  const deadLetter = async () => {
    const QueueUrl = small.queueUrl("small-pass-dead");
    const { Messages } = (await small.asAdmin("ReceiveMessage", { QueueUrl, VisibilityTimeout: 0 })) as {
      Messages?: { Body: string; MessageAttributes?: object }[];
    };
    await small.asAdmin("PurgeQueue", { QueueUrl });
    return Messages?.[0];
  };

  describe("a chain of messages", () => {
    test("passes a function that sends to itself → 16 times, then it is dropped until it is a dead letter", async () => {
      await start("small-pass", "loop", 30);
      await small.cloud.waitUntilIdle();
      expect(passes("small-pass", "loop")).toBe(16);
      expect(dropped()).toEqual(["small-pass", "small-pass"]);
      expect(await deadLetter()).toMatchObject({ Body: JSON.stringify({ id: "loop", left: 14 }) });
    });

    test("passes two functions by turns, of which one may → the other one is not invoked for the 17th time", async () => {
      await start("small-ping", "turns", 60);
      await small.cloud.waitUntilIdle();
      expect([passes("small-ping", "turns"), passes("small-pong", "turns")]).toEqual([17, 16]);
      expect(new Set(dropped())).toEqual(new Set(["small-pong"]));
      await deadLetter();
    });

    test("and further ones at the same time, each of which passes less often → each arrives", async () => {
      await Promise.all(["a", "b", "c"].map((id) => start("small-pass", id, 15)));
      await small.cloud.waitUntilIdle();
      expect(["a", "b", "c"].map((id) => passes("small-pass", id))).toEqual([16, 16, 16]);
      expect(dropped()).toEqual([]);
    });
  });
}
