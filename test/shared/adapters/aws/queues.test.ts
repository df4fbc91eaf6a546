import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PlatformError } from "../../../../shared/core/errors.ts";
import { variables } from "../../../../shared/names.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { awsEndpoint } from "./endpoint.ts";

interface Entry {
  Id: string;
  MessageBody: string;
  MessageGroupId: string;
  MessageDeduplicationId: string;
}

function sentIn(body: string): { Entries?: Entry[]; MessageBody?: string } {
  return JSON.parse(Buffer.from(body, "latin1").toString());
}

/** The address in a batch that the queue does not take. */
let refused: string | undefined;
const asked = await awsEndpoint(({ body }) => {
  const { Entries = [], MessageBody } = sentIn(body);
  if (MessageBody !== undefined) {
    return { MD5OfMessageBody: createHash("md5").update(MessageBody).digest("hex") };
  }
  const [failed] = Entries.filter(({ MessageBody }) => JSON.parse(MessageBody).url === refused);
  return {
    Successful: [],
    ...(failed && { Failed: [{ Id: failed.Id, Code: "Busy", SenderFault: false }] }),
  };
});
vi.stubEnv(variables.requestsQueue, `${process.env.AWS_ENDPOINT_URL}/0/requests.fifo`);
const { messageQueue, requestsQueue } = await import("../../../../shared/adapters/aws/queues.ts");

const requests = Array.from({ length: 95 }, (_, index) => ({
  id: `r${index}`,
  kind: "article" as const,
  url: `https://j.example/${index}`,
}));

beforeEach(() => {
  asked.length = 0;
  refused = undefined;
});

describe("requestsQueue", () => {
  it("many requests → batches of at most ten, each request in one of them", async () => {
    await requestsQueue().send(requests);
    const batches = asked.map(({ body }) => (JSON.parse(body) as { Entries: Entry[] }).Entries);
    expect(batches.map(({ length }) => length).sort()).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 10, 5]);
    const ids = batches.flat().map(({ MessageDeduplicationId }) => MessageDeduplicationId);
    expect(ids.sort()).toEqual(requests.map(({ id }) => `${id}-0`).sort());
    expect(new Set(batches.flat().map(({ MessageGroupId }) => MessageGroupId))).toEqual(
      new Set(["j.example"]),
    );
  });

  it("one that SQS refuses → a PlatformError, so that all are sent again", async () => {
    refused = "https://j.example/42";
    await expect(requestsQueue().send(requests)).rejects.toThrow(PlatformError);
  });

  it("none → no call", async () => {
    await requestsQueue().send([]);
    expect(asked).toEqual([]);
  });
});

describe("messageQueue", () => {
  it("large messages that are sent together → in batches that SQS takes", async () => {
    const { send } = messageQueue<{ text: string; url: string }>("requestsQueue");
    await Promise.all(["a", "b", "c"].map((url) => send({ url, text: "x".repeat(100_000) })));
    const sizes = asked.map(({ body }) => sentIn(body).Entries?.length ?? 1);
    expect(sizes.toSorted()).toEqual([1, 2]);
  });
});

describe("what a message says", () => {
  // The characters that SQS takes, in the ranges that the local one takes, too.
  const taken = /^[\t\n\r -\uD7FF\uE000-\uFFFD]*$/;

  it.each(["plain", "Grüße", "\uFFFE and \uFFFF", "x\u0000\u0008", "𝑥² 😀", "half \uD835 of one"])(
    "%j → characters that SQS takes, and the same when it is read",
    async (title) => {
      const [request] = requests;
      await requestsQueue().send([{ ...request, context: { title } } as NewRequest]);
      await messageQueue<{ title: string }>("requestsQueue").send({ title });
      const [batch, single] = asked.map(({ body }) => sentIn(body));
      const bodies = [batch?.Entries?.[0]?.MessageBody ?? "", single?.MessageBody ?? ""];
      for (const body of bodies) expect(body).toMatch(taken);
      const [inBatch, alone] = bodies.map((body) => JSON.parse(body));
      expect([inBatch.context.title, alone.title]).toEqual([title, title]);
    },
  );
});
