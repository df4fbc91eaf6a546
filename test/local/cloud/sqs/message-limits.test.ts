import { describe, expect, it, vi } from "vitest";
import { callJson, inputOf, jsonResponse, type Service } from "../../../../local/cloud/service.ts";
import { withMessageLimits } from "../../../../local/cloud/sqs/message-limits.ts";

const QueueUrl = "http://localhost/000000000000/line.fifo";
const receivedMs = Date.parse("2026-11-20T00:00:00Z");

/**
 * What SQS makes of an operation, a minute after the message `h` was received; `taken` is what reaches the emulator.
 */
async function ask(operation: string, input: object) {
  const taken: unknown[] = [];
  const emulator: Service = async (request) => {
    const { QueueUrl: _url, ...rest } = inputOf<{ QueueUrl: string; Entries?: { Id: string }[] }>(request);
    taken.push(rest);
    return jsonResponse(200, { Successful: rest.Entries?.map(({ Id }) => ({ Id })) ?? [] });
  };
  const times = { of: (_queue: string, handle: string) => (handle === "h" ? receivedMs : undefined) };
  vi.useFakeTimers({ now: receivedMs + 60_000 });
  try {
    const answer = await callJson(withMessageLimits(emulator, times), `AmazonSQS.${operation}`, {
      QueueUrl,
      ...input,
    });
    return { taken, answer };
  } catch (error) {
    return { taken, error: (error as Error).message };
  } finally {
    vi.useRealTimers();
  }
}

const attributes = (count: number, StringValue = "x") => ({
  MessageAttributes: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`a${index}`, { DataType: "String", StringValue }]),
  ),
});

describe("SQS", () => {
  it.each<[string, string, object]>([
    ["a group of 128 characters", "SendMessage", { MessageGroupId: "[::1]:8080".padEnd(128, "a") }],
    ["ten attributes", "SendMessage", attributes(10)],
    ["a delay of 15 minutes", "SendMessage", { DelaySeconds: 900 }],
    [
      "12 hours, less the minute",
      "ChangeMessageVisibility",
      { ReceiptHandle: "h", VisibilityTimeout: 43_140 },
    ],
    ["what is not in flight", "ChangeMessageVisibility", { ReceiptHandle: "?", VisibilityTimeout: 43_200 }],
  ])("%s → continues", async (_title, operation, input) => {
    expect(await ask(operation, input)).toMatchObject({ taken: [input] });
  });

  it.each<[string, string, object, string]>([
    ["a group of 129 characters", "SendMessage", { MessageGroupId: "a".repeat(129) }, "MessageGroupId"],
    ["a group of other characters", "SendMessage", { MessageGroupId: "müller.example" }, "MessageGroupId"],
    ["eleven attributes", "SendMessage", attributes(11), "[11] exceeds"],
    ["an empty attribute", "SendMessage", attributes(1, ""), "'a0' must contain"],
    ["a delay of more", "SendMessage", { DelaySeconds: 901 }, "DelaySeconds must be"],
    [
      "12 hours, a minute after the receive",
      "ChangeMessageVisibility",
      { ReceiptHandle: "h", VisibilityTimeout: 43_200 },
      "Total VisibilityTimeout",
    ],
  ])("%s → refused", async (_title, operation, input, problem) => {
    const { taken, error } = await ask(operation, input);
    expect([taken, error]).toEqual([[], expect.stringContaining(problem)]);
  });

  it("one of a batch → refused alone", async () => {
    const good = { Id: "0", ReceiptHandle: "h", VisibilityTimeout: 60 };
    const bad = { Id: "1", ReceiptHandle: "h", VisibilityTimeout: 43_200 };
    expect(await ask("ChangeMessageVisibilityBatch", { Entries: [good, bad] })).toMatchObject({
      taken: [{ Entries: [good] }],
      answer: { Successful: [{ Id: "0" }], Failed: [{ Id: "1", Code: "InvalidParameterValue" }] },
    });
    expect(await ask("ChangeMessageVisibilityBatch", { Entries: [bad] })).toMatchObject({
      taken: [],
      answer: { Failed: [{ Id: "1" }] },
    });
  });
});
