import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { queueNames, requestQueue } from "../../shared/names.ts";
import { queueNumber } from "../../shared/web/gate/queue-number.ts";
import { waitMs } from "../time-limits.ts";
import { deliverJournals } from "./chaos/deliver-journals.ts";
import { type Journals, startJournals } from "./chaos/journals.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const queues = 3;
const size = { journals: 8, articles: 6 };
let journals: Journals;
/** Messages that each queue was sent. */
const sent = new Map<string, number>();

beforeAll(async () => {
  journals = await startJournals(size);
  await testCloud(stateFolder(), {
    allowedPrivateHosts: journals.hosts,
    context: { "ingather:requestQueues": String(queues) },
    meter: {
      call({ operation, resource, entries }) {
        if (operation === "SendMessageBatch") sent.set(resource, (sent.get(resource) ?? 0) + entries);
      },
      units() {},
      invocation() {},
      logLine() {},
    },
  });
});
afterAll(() => journals.provider.close());

it("requests-wait: hosts divided among three queues → each host's requests are in its own, and all articles are delivered, politely", async ({
  signal,
}) => {
  await deliverJournals(journals, signal);

  const expected = new Map<string, number>();
  for (const host of journals.hosts) {
    const name = requestQueue(queueNames.requests, queueNumber(host, queues));
    // The feed and its articles.
    expected.set(name, (expected.get(name) ?? 0) + 1 + size.articles);
  }
  expect(expected.size).toBeGreaterThan(1);
  const names = Array.from({ length: queues }, (_, number) => requestQueue(queueNames.requests, number));
  expect(Object.fromEntries(names.map((name) => [name, sent.get(name)]))).toEqual(
    Object.fromEntries(names.map((name) => [name, expected.get(name)])),
  );
  for (const [address, exchanges] of journals.provider.exchanges)
    expect(Math.max(...exchanges.map(({ concurrent }) => concurrent)), address).toBe(0);
});

it("a request in the queue of another number, as after the number was changed → is made all the same", async () => {
  const { SendMessageCommand } = await import("@aws-sdk/client-sqs");
  const { sqs } = await import("../../shared/adapters/aws/sqs-sdk.ts");
  const { variable } = await import("../../shared/adapters/aws/environment.ts");
  const [host = ""] = journals.hosts;
  const other = (queueNumber(host, queues) + 1) % queues;
  const exchanges = journals.provider.exchanges.get(host.split(":")[0] ?? "") ?? [];
  const before = exchanges.length;
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: requestQueue(variable("requestsQueue"), other),
      MessageBody: JSON.stringify({ id: "moved", kind: "link", url: `http://${host}/1` }),
      MessageGroupId: host,
      MessageDeduplicationId: "moved",
    }),
  );
  await vi.waitFor(() => expect(exchanges.slice(before).map(({ path }) => path)).toEqual(["/1"]), waitMs);
});
