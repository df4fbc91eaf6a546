import { beforeEach, describe, expect, it, vi } from "vitest";
import { PlatformError } from "../../../shared/core/errors.ts";
import { variables } from "../../../shared/names.ts";
import { awsEndpoint } from "./endpoint.ts";

interface Entry {
  Id: string;
  MessageBody: string;
  MessageGroupId: string;
  MessageDeduplicationId: string;
}

/** The address in a batch that the queue does not take. */
let refused: string | undefined;
const asked = await awsEndpoint(({ body }) => {
  const { Entries } = JSON.parse(body) as { Entries: Entry[] };
  const [failed] = Entries.filter(({ MessageBody }) => JSON.parse(MessageBody).url === refused);
  return {
    Successful: [],
    ...(failed && { Failed: [{ Id: failed.Id, Code: "Busy", SenderFault: false }] }),
  };
});
vi.stubEnv(variables.requestsQueue, `${process.env.AWS_ENDPOINT_URL}/0/requests.fifo`);
const { requestsQueue } = await import("../../../shared/aws/queues.ts");

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

  it("one that is not taken → a PlatformError, so that all are sent again", async () => {
    refused = "https://j.example/42";
    await expect(requestsQueue().send(requests)).rejects.toThrow(PlatformError);
  });

  it("none → nothing is asked", async () => {
    await requestsQueue().send([]);
    expect(asked).toEqual([]);
  });
});
