import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { beforeAll, expect, it } from "vitest";
import { systemClock } from "../../shared/core/clock.ts";
import { tableNames, variables } from "../../shared/names.ts";
import { type HostState, newHost, nextAllowedMs } from "../../shared/web/gate/host-state.ts";
import { translationSlots } from "../../shared/web/translation/translation-slots.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { itemsOf } from "./stored-contents.ts";

beforeAll(() => testCloud(stateFolder(), { polling: false }));

it("all slots of the translation server taken → found by one read, without a write", async () => {
  const slots = await slotsOfCloud();
  const taken = await Promise.all(Array.from({ length: 15 }, () => slots.claim(60_000)));
  const { commands, stop } = await watchCommands();
  expect(await slots.claim(60_000)).toBeUndefined();
  stop();
  expect(commands).toEqual(["BatchGetItemCommand"]);
  for (const slot of taken) await slot?.release();
});

it("the answer to a write is lost, and the SDK tries again → it is ours all the same, and once", async () => {
  const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
  const slots = await slotsOfCloud();
  const { commands, stop } = await watchCommands({ losesAnswers: true });
  const slot = await slots.claim(60_000);
  const hosts = hostStore();
  const host = { ...newHost("lost.example"), lease: { holder: "us", untilMs: 1, delayMs: 0 } };
  expect(await hosts.save(host)).toBe(true);
  expect(await hosts.save({ ...host, version: 1 })).toBe(true);
  stop();
  expect(slot).toBeDefined();
  expect(commands.filter((name) => name === "PutItemCommand")).toHaveLength(6);
  expect(await hosts.load("lost.example")).toMatchObject({ version: 2 });
  expect(await hosts.save({ ...host, version: 1 })).toBe(false);
  await slot?.release();
});

/** Sends a request to the gate. @returns how it is received, and returned */
async function queuedRequest(id: string) {
  const { gateQueues, requestsQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { sqs } = await import("../../shared/adapters/aws/sqs-sdk.ts");
  await requestsQueue().send([{ id, kind: "link", url: `https://${id}.example/` }]);
  const QueueUrl = process.env[variables.requestsQueue];
  const receive = async () => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    return Messages.map(({ MessageId = "", ReceiptHandle = "", Body = "" }) => {
      return { messageId: MessageId, receiptHandle: ReceiptHandle, body: Body };
    });
  };
  return { receive, returnToQueue: gateQueues().returnToQueue };
}

// moto changes the visibility of a message that is not in flight, too.
it.skipIf(process.env.EMULATOR === "moto")(
  "a message that is back in the queue already → returned without an error",
  async () => {
    const { receive, returnToQueue } = await queuedRequest("returned");
    const messages = await receive();
    expect(messages).toHaveLength(1);
    await returnToQueue(messages, 0);
    await returnToQueue(messages, 60_000);
    expect(await receive()).toHaveLength(1);
  },
);

it("a message that waits for a week → hidden for almost 12 hours, as SQS counts from its receive", async () => {
  const { receive, returnToQueue } = await queuedRequest("waits");
  const messages = await receive();
  expect(messages).toHaveLength(1);
  await returnToQueue(messages, 7 * 86_400_000);
  expect(await receive()).toEqual([]);
});

it("requests that are together larger than a batch of SQS → all are in the queue", async () => {
  const { requestsQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { sqs } = await import("../../shared/adapters/aws/sqs-sdk.ts");
  const { GetQueueAttributesCommand } = await import("@aws-sdk/client-sqs");
  const QueueUrl = process.env[variables.requestsQueue];
  const visible = async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages);
  };
  const before = await visible();
  const context = { note: "x".repeat(150_000) };
  await requestsQueue().send(
    Array.from({ length: 10 }, (_, number) => ({
      id: `large-${number}`,
      kind: "link" as const,
      url: `https://large.example/${number}`,
      context,
    })),
  );
  expect((await visible()) - before).toBe(10);
});

it("an item of a host from before a property was there → the property as at a host never requested", async () => {
  const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
  const hosts = hostStore();
  const { givenUp: _absent, ...older } = newHost("older.example");
  expect(await hosts.save({ ...older, failures: 3 } as HostState)).toBe(true);
  expect(await hosts.load("older.example")).toMatchObject({ failures: 3, givenUp: 0, version: 1 });
});

async function slotsOfCloud() {
  const { leaseStore } = await import("../../shared/adapters/aws/lease-store.ts");
  return translationSlots({ leases: leaseStore(), clock: systemClock, random: Math.random });
}

/** Sees each command that is sent to DynamoDB; the answer to the first try of each write may be lost on the way back. */
async function watchCommands({ losesAnswers = false } = {}) {
  const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
  const commands: string[] = [];
  const lost = new Set<object>();
  dynamodb.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        commands.push(commandName);
        const result = await next(args);
        if (!losesAnswers || lost.has(args.input) || commandName === "BatchGetItemCommand") return result;
        lost.add(args.input);
        throw Object.assign(new Error("the answer was lost"), { name: "TimeoutError" });
      },
    { step: "finalizeRequest", priority: "low", name: "watch" },
  );
  return { commands, stop: () => dynamodb.middlewareStack.remove("watch") };
}

it("a start after a kill → no lease is left, no host has one, and the delay of its killed exchange counts from the start", async () => {
  const { leaseStore } = await import("../../shared/adapters/aws/lease-store.ts");
  const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
  const { releaseLeases } = await import("../../shared/adapters/aws/release-leases.ts");
  const untilMs = Date.now() + 600_000;
  for (const key of ["import", "mail#m", "upload#live", "translation#3"]) {
    await leaseStore().claim({ key, holder: "killed", untilMs }, Date.now());
  }
  const host = { ...newHost("killed.example"), lease: { holder: "killed", untilMs, delayMs: 8000 } };
  await hostStore().save(host);
  const startedAtMs = Date.now();
  await releaseLeases();
  expect(await itemsOf(tableNames.leases)).toEqual([]);
  expect(await hostStore().load("killed.example")).toEqual(
    expect.not.objectContaining({ lease: expect.anything() }),
  );
  const released = await hostStore().load("killed.example");
  expect(nextAllowedMs(released, 0)).toBeGreaterThanOrEqual(startedAtMs + 8000);
  expect(nextAllowedMs(released, 60_000)).toBeGreaterThanOrEqual(startedAtMs + 60_000);
});
