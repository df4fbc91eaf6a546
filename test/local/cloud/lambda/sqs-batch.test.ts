import { describe, expect, test } from "vitest";
import { type ReceivedMessage, succeededMessages } from "../../../../local/cloud/lambda/sqs-batch.ts";

function message(MessageId: string, MessageGroupId?: string): ReceivedMessage {
  return {
    MessageId,
    ReceiptHandle: MessageId,
    Body: "",
    MD5OfBody: "",
    Attributes: MessageGroupId === undefined ? {} : { MessageGroupId },
  };
}

const failures = (...ids: unknown[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

describe("done with, by the function's answer", () => {
  test.each<[string, unknown, string[]]>([
    ["nothing → all", null, ["a", "b", "c"]],
    ["an empty list → all", failures(), ["a", "b", "c"]],
    ["one failed → the others", failures("b"), ["a", "c"]],
    ["an id that was not in the batch → none", failures("z"), []],
    ["an empty id → none", failures(""), []],
    ["no id → none", failures(undefined), []],
    ["no list → none", { batchItemFailures: "b" }, []],
  ])("%s", (_title, answer, expected) => {
    const batch = [message("a"), message("b"), message("c")];
    expect(succeededMessages(batch, answer).map(({ MessageId }) => MessageId)).toEqual(expected);
  });

  test("one of a FIFO group failed → its followers too, other groups not", () => {
    const batch = [message("a", "1"), message("b", "1"), message("c", "2"), message("d", "1")];
    expect(succeededMessages(batch, failures("b")).map(({ MessageId }) => MessageId)).toEqual(["a", "c"]);
  });
});
