import type { Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import {
  ConfigError,
  InputError,
  PlatformError,
  RemoteError,
  ThrottledError,
} from "../../../shared/core/errors.ts";
import { awsEndpoint } from "../adapters/aws/endpoint.ts";
import { sqsRecord as record } from "./sqs-record.ts";

/** What the store of failed messages answers: how many tries have begun. */
let triesNoted = 1;
const calls = await awsEndpoint(() => ({
  QueueUrl: `${process.env.AWS_ENDPOINT_URL}/queue`,
  Attributes: { tries: { SS: Array.from({ length: triesNoted }, (_, at) => String(at)) } },
}));
vi.stubEnv("FAILED_MESSAGES_TABLE", "failed");
const { fifoHandler, sqsHandler } = await import("../../../shared/runtime/sqs.ts");

const logged: { level: string; message: string; error?: string }[] = [];
vi.spyOn(console, "log").mockImplementation((line: string) => void logged.push(JSON.parse(line)));

const nowMs = Date.parse("2026-11-20T12:00:00Z");
beforeEach(() => {
  calls.length = 0;
  logged.length = 0;
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
});
afterEach(() => {
  vi.useRealTimers();
});

const context = { getRemainingTimeInMillis: () => 600_000 } as Context;

/** The messages that are hidden, each with its seconds. */
const hidden = () =>
  calls
    .map(({ body }) => JSON.parse(body) as { ReceiptHandle?: string; VisibilityTimeout?: number })
    .filter(({ ReceiptHandle }) => ReceiptHandle !== undefined)
    .map(({ ReceiptHandle, VisibilityTimeout }) => [ReceiptHandle, VisibilityTimeout]);

describe("a message whose handler throws", () => {
  it.each([
    [
      "InputError → no wait on the way to the dead-letter queue",
      new InputError("f", 1, "bad"),
      3,
      0,
      "error",
    ],
    ["RemoteError, first time", new RemoteError("r"), 1, 10, "error"],
    ["RemoteError, third time → four times as long", new RemoteError("r"), 3, 40, "error"],
    ["PlatformError, tenth time → the longest pause", new PlatformError("p"), 10, 300, "error"],
    ["ConfigError", new ConfigError("c"), 1, 10, "error"],
    ["any other error", new TypeError("t"), 2, 20, "error"],
    ["ThrottledError → until then", new ThrottledError("w", new Date(nowMs + 90_500)), 5, 91, "info"],
    ["ThrottledError of a moment ago → a second", new ThrottledError("w", new Date(0)), 5, 1, "info"],
  ])("%s", async (_title, error, receives, seconds, level) => {
    const handler = sqsHandler({
      message: z.object({ a: z.number() }),
      services: () => ({}),
      handle: async ({ a }) => {
        if (a === 1) throw error;
      },
    });
    const Records = [record("bad", '{"a":1}', { receives }), record("good", '{"a":2}')];
    expect(await handler({ Records }, context)).toEqual({ batchItemFailures: [{ itemIdentifier: "bad" }] });
    expect(hidden()).toEqual([["handle-bad", seconds]]);
    expect(logged).toMatchObject([
      { level, error: error.name },
      { level: "info", messages: expect.any(Number), returned: 1 },
    ]);
  });

  it.each([
    ["no JSON", "{", "body"],
    ["another shape", '{"a":"x"}', "a"],
  ])("%s → an InputError that names the field, and the batch continues", async (_title, body, field) => {
    const handled: number[] = [];
    const handler = sqsHandler({
      message: z.object({ a: z.number() }),
      services: () => ({}),
      handle: async ({ a }) => void handled.push(a),
    });
    const Records = [record("bad", body), record("good", '{"a":2}')];
    expect(await handler({ Records }, context)).toEqual({ batchItemFailures: [{ itemIdentifier: "bad" }] });
    expect(handled).toEqual([2]);
    expect(logged).toMatchObject([
      { error: "InputError", detail: expect.stringMatching(`^${field}: `) },
      { level: "info", messages: 2, returned: 1 },
    ]);
    expect(hidden()).toEqual([["handle-bad", 0]]);
  });

  it("services that cannot be built → every message fails, and the next ones build them again", async () => {
    let tries = 0;
    const handler = sqsHandler({
      message: z.object({}),
      services: () => {
        tries += 1;
        if (tries === 1) throw new ConfigError("a variable is missing");
        return {};
      },
      handle: async () => {},
    });
    expect((await handler({ Records: [record("a", "{}")] }, context))?.batchItemFailures).toHaveLength(1);
    expect((await handler({ Records: [record("a", "{}")] }, context))?.batchItemFailures).toHaveLength(0);
    await handler({ Records: [record("b", "{}")] }, context);
    expect(tries).toBe(2);
  });
});

describe("a batch of a FIFO queue", () => {
  /** Serves the given groups and one other, which the longest given one leaves the time for. */
  async function withOther(fails: { take?: boolean; remove?: boolean } = {}) {
    const handled: string[] = [];
    const removed: string[] = [];
    const ends = { slow: Promise.withResolvers<void>(), other: Promise.withResolvers<void>() };
    const handler = fifoHandler({
      services: () => ({}),
      handleGroup: async (messages) => {
        const group = messages[0]?.attributes?.MessageGroupId ?? "";
        if (group === "slow") await ends.slow.promise;
        if (group === "other") ends.slow.resolve();
        handled.push(group);
        return group === "other" ? messages.slice(1) : [];
      },
      others: () => ({
        most: 10,
        mayTake: () => handled.length === 1,
        clock: { now: () => new Date(), sleep: async () => {} },
        async take() {
          if (fails.take) {
            ends.slow.resolve();
            throw new PlatformError("SQS is not there");
          }
          const message = (id: string) => ({ ...record(id, "", { group: "other" }) });
          return [[message("o1"), message("o2")]];
        },
        async remove(messages) {
          if (fails.remove) throw new PlatformError("SQS is not there");
          removed.push(...messages.map(({ messageId }) => messageId));
        },
      }),
    });
    const Records = [record("quick", "", { group: "quick" }), record("slow", "", { group: "slow" })];
    const result = await handler({ Records }, context);
    return { handled, removed, failures: result?.batchItemFailures };
  }

  it("and of another group, taken while it waits → what is done is deleted, what is not is left to the queue", async () => {
    const { handled, removed, failures } = await withOther();
    expect(handled.toSorted()).toEqual(["other", "quick", "slow"]);
    expect(removed.toSorted().slice(0, 2)).toEqual(["o1", "quick"]);
    expect(failures).toEqual([]);
  });

  it.each(["take", "remove"])("when SQS fails to %s → the given groups are served", async (what) => {
    const { handled, failures } = await withOther({ [what]: true });
    expect(handled).toEqual(expect.arrayContaining(["quick", "slow"]));
    expect(failures).toEqual([]);
    expect(logged).toContainEqual(expect.objectContaining({ detail: "SQS is not there" }));
  });

  it.each([
    ["the services cannot be built", true],
    ["the first of them", false],
  ])(
    "whose groups all fail, %s → thrown, so that Lambda counts an error; the messages come again",
    async (_title, isEarly) => {
      const failing = (error: Error) => () => {
        throw error;
      };
      const handler = fifoHandler({
        services: isEarly ? failing(new ConfigError("a variable is missing")) : () => ({}),
        handleGroup: async ([first]) => failing(new PlatformError(`no table for ${first?.messageId}`))(),
      });
      const Records = [record("x1", "", { group: "x" }), record("y1", "", { group: "y" })];
      await expect(handler({ Records }, context)).rejects.toThrow(
        isEarly ? "a variable is missing" : "no table for x1",
      );
      expect(logged.map(({ message }) => message)).toEqual([
        "the group failed",
        "the group failed",
        "the invocation failed",
      ]);
    },
  );

  it("of several groups → each is handled on its own, in order; a group that fails is returned as a whole", async () => {
    const handled: string[][] = [];
    const handler = fifoHandler({
      services: () => ({}),
      handleGroup: async (records) => {
        handled.push(records.map(({ messageId }) => messageId));
        if (records[0]?.attributes?.MessageGroupId === "y") throw new PlatformError("p");
        return records.slice(1);
      },
    });
    const Records = [
      record("x1", "", { group: "x" }),
      record("y1", "", { group: "y" }),
      record("x2", "", { group: "x" }),
      record("y2", "", { group: "y" }),
    ];
    const result = await handler({ Records }, context);
    expect(handled).toEqual([
      ["x1", "x2"],
      ["y1", "y2"],
    ]);
    expect(result?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["x2", "y1", "y2"]);
    expect(logged).toMatchObject([
      { message: "the group failed", group: "y", error: "PlatformError" },
      { level: "info", messages: 4, returned: 3 },
    ]);
  });
});

describe("a message that fails at its fifth receive", () => {
  const items = () => calls.filter(({ headers }) => /DynamoDB/.test(String(headers["x-amz-target"])));
  const saved = () =>
    items()
      .filter(({ headers }) => String(headers["x-amz-target"]).endsWith("PutItem"))
      .map(({ body }) => JSON.parse(body).Item);

  const endedTries = () =>
    items().filter(({ headers }) => String(headers["x-amz-target"]).endsWith("DeleteItem")).length;

  async function receive(error: Error | undefined, receives = 5, tries = 1) {
    triesNoted = tries;
    const settled: string[] = [];
    const handler = sqsHandler({
      message: z.object({ a: z.number() }),
      services: () => ({}),
      handle: async () => {
        if (error !== undefined) throw error;
      },
      settle: async (_message, _services, reason) => void settled.push(reason),
    });
    const Records = [record("bad", '{"a":1}', { receives })];
    const { batchItemFailures } = (await handler({ Records }, context)) ?? {};
    return { isReturned: batchItemFailures?.length === 1, settled };
  }

  it("ends its function → the others of its batch are done and deleted before it, the most received first", async () => {
    triesNoted = 1;
    const steps: string[] = [];
    const handler = sqsHandler({
      message: z.object({ id: z.string() }),
      services: () => ({}),
      handle: async ({ id }) => {
        const deleted = calls
          .filter(({ headers }) => String(headers["x-amz-target"]).endsWith("DeleteMessageBatch"))
          .flatMap(({ body }) => JSON.parse(body).Entries)
          .map(({ ReceiptHandle }: { ReceiptHandle: string }) => ReceiptHandle.replace("handle-", ""));
        steps.push(`${id} after ${deleted.join(" ")}`);
      },
    });
    const received = { new: 1, tired: 7, fatal: 5 };
    const Records = Object.entries(received).map(([id, receives]) =>
      record(id, JSON.stringify({ id }), { receives }),
    );
    expect(await handler({ Records }, context)).toEqual({ batchItemFailures: [] });
    expect(steps).toEqual(["new after ", "tired after new", "fatal after new tired"]);
  });

  it("an error of ours → quarantined with its content and reason, after what waits was told", async () => {
    const { isReturned, settled } = await receive(new Error("cannot parse"));
    expect([isReturned, settled]).toEqual([false, ["cannot parse"]]);
    expect(endedTries()).toBe(1);
    expect(saved()).toMatchObject([
      { id: { S: "0-bad" }, queue: { S: "queue" }, reason: { S: "cannot parse" }, body: { S: '{"a":1}' } },
    ]);
  });

  it.each([
    ["AWS fails", new PlatformError("p"), 5],
    [
      "AWS throttles",
      Object.assign(new Error("slow"), { name: "ThrottlingException", $metadata: {}, $fault: "client" }),
      5,
    ],
    ["another worker has it", new ThrottledError("w", new Date(nowMs)), 7],
    ["it failed four times", new Error("e"), 4],
  ])("%s → it stays in its queue", async (_title, error, receives) => {
    const { isReturned, settled } = await receive(error, receives);
    expect([isReturned, settled, saved()]).toEqual([true, [], []]);
  });

  it("three tries before have ended the function → quarantined without a try; a success forgets them", async () => {
    expect((await receive(undefined, 7, 3)).isReturned).toBe(false);
    expect([saved(), endedTries()]).toEqual([[], 1]);
    const { isReturned, settled } = await receive(undefined, 8, 4);
    expect([isReturned, settled]).toEqual([false, [expect.stringMatching(/^the function ended 3 times/)]]);
    expect([saved().length, endedTries()]).toEqual([1, 1]);
  });
});
