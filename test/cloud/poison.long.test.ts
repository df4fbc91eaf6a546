import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { buildSqsEvent } from "../../local/cloud/lambda/sqs-batch.ts";
import { functionNames, queueNames, responsesName } from "../../shared/names.ts";
import type { FailedMessageSummary } from "../../shared/records/messages/failed-message.ts";
import { stages } from "../../shared/records/runs/stages.ts";
import { messageTries } from "../../shared/runtime/quarantine.ts";
import { kindPolicy, requestKinds } from "../../shared/web/request/kinds.ts";
import { type CountingProvider, startProvider } from "./counting-provider.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator, queueArn } from "./operator.ts";

let cloud: LocalCloud;
let operator: Operator;
let journals: CountingProvider;

/** Linux answers on all of 127/8. */
const addresses = Array.from({ length: 50 }, (_, index) => `127.0.9.${index + 1}`);
const stuck = "127.0.9.17";

beforeAll(async () => {
  journals = await startProvider(addresses, (address, path) => {
    if (path === "/robots.txt") return { status: 404, body: "" };
    if (path === "/article")
      return { status: 200, headers: { "content-type": "text/html" }, body: article(address) };
    const item = `<item><title>T</title><link>http://${address}:${journals.port}/article</link></item>`;
    const body = `<rss version="2.0"><channel><title>F</title>${item}</channel></rss>`;
    return { status: 200, headers: { "content-type": "application/rss+xml" }, body };
  });
  const hosts = addresses.map((address) => `${address}:${journals.port}`);
  cloud = await testCloud(stateFolder(), { allowedPrivateHosts: hosts });
  operator = new Operator(cloud);
});

function article(address: string): string {
  const meta = {
    title: `On ${address}`,
    author: "Weaver, Ada",
    volume: "1",
    issue: "2",
    publication_date: "2026",
  };
  return `<title>x</title>${Object.entries(meta)
    .map(([name, content]) => `<meta name="citation_${name}" content="${content}">`)
    .join("")}`;
}

const failedMessages = async () =>
  (await operator.ask<{ messages: FailedMessageSummary[] }>("GET", "/failed-messages?limit=200")).body
    .messages;

/** A receive of a message by the function that reads its queue. @returns whether it stays in the queue */
async function receive(
  queue: string,
  functionName: string,
  body: string,
  receives: number,
): Promise<boolean> {
  const message = {
    MessageId: crypto.randomUUID(),
    ReceiptHandle: "handle",
    MD5OfBody: "",
    Body: body,
    Attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(Date.now()) },
  };
  const event = buildSqsEvent([message], { arn: queueArn(queue), region: "eu-central-1" });
  const { batchItemFailures } = (await cloud.invoke(functionName, event)) as { batchItemFailures: unknown[] };
  return batchItemFailures.length === 1;
}

/** The queues of the template that quarantine messages, each with the function that reads it. */
const readers: Record<string, string> = {
  ...Object.fromEntries(
    requestKinds.map((kind) => [queueNames[responsesName(kind)], `ingather-${kindPolicy(kind).reader.file}`]),
  ),
  [queueNames.runStarts]: functionNames.startHarvest,
  [queueNames.mailReadings]: functionNames.readMail,
  [queueNames.resends]: functionNames.resendFile,
  [queueNames.setRegistrations]: functionNames.registerSet,
  [queueNames.indexRequests]: functionNames.planIndex,
  [queueNames.indexParts]: functionNames.buildIndexPart,
  [queueNames.indexAnswers]: functionNames.recordIndex,
  [queueNames.captureJobs]: functionNames.beginCapture,
  [queueNames.capturedJobs]: functionNames.finishCapture,
  [queueNames.capturePackages]: functionNames.packCapture,
  [queueNames.sourceEvents]: functionNames.changeSource,
  [queueNames.documentUploads]: functionNames.readUpload,
  [queueNames.imports]: functionNames.importConfiguration,
  [queueNames.documentDeletions]: functionNames.deleteDocuments,
};

/** They fail the run or reconversion, or answer the request, when they give up; see the tests of the stages and of the gate. */
const others = [
  queueNames.requests,
  queueNames.idleRequests,
  queueNames.rejectedRequests,
  queueNames.scheduleDeadLetters,
  queueNames.reconversions,
  queueNames.updates,
  ...stages.map((stage) => (stage === "report" ? queueNames.reports : queueNames[stage])),
];

describe("a message that its function cannot process", () => {
  it("every queue is here", () => {
    expect([...Object.keys(readers), ...others].toSorted()).toEqual(Object.values(queueNames).toSorted());
  });

  it.each(Object.entries(readers))(
    "of %s → quarantined at the fifth receive, and named",
    async (queue, reader) => {
      const body = JSON.stringify({ runId: "run-1", sourceId: 17 });
      expect(await receive(queue, reader, body, messageTries - 1)).toBe(true);
      const ofQueue = async () => (await failedMessages()).filter((each) => each.queue === queue);
      const before = (await ofQueue()).length;
      expect(await receive(queue, reader, body, messageTries)).toBe(false);
      const [last, ...earlier] = await ofQueue();
      expect(earlier).toHaveLength(before);
      expect(last).toMatchObject({
        queue,
        receives: messageTries,
        subject: { runId: "run-1", sourceId: 17 },
        reason: expect.stringMatching(/./),
      });
      const { id = "" } = last ?? {};
      expect((await operator.ask<{ body: string }>("GET", `/failed-messages/${id}`)).body.body).toBe(body);
      expect((await operator.ask("DELETE", `/failed-messages/${id}`)).status).toBe(204);
      expect(await ofQueue()).toHaveLength(before);
    },
  );
});

describe("one source of fifty", () => {
  it("whose response cannot be processed → closed with the reason, and the run delivers the others", async () => {
    const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
    const { localGroup } = await import("../../local/local-group.ts");
    const { runStore } = await import("../../shared/adapters/records/run-store.ts");
    const { sourceTallyName } = await import("../../shared/records/runs/tally-names.ts");
    await storeConfiguration(
      addresses.map((address) => ({
        sourceId: address.replaceAll(".", "-"),
        title: address,
        type: "RSS" as const,
        url: `http://${address}:${journals.port}/feed`,
        groupId: localGroup.groupId,
        deliveryMode: "LIVE" as const,
        throttleMs: 0,
      })),
    );
    const sourceId = stuck.replaceAll(".", "-");
    // Its responses wait for nobody: the test is its reader.
    await operator.ask("PUT", `/hosts/${stuck}:${journals.port}/pause`, { reason: "for a test" });
    const path = await operator.startRun();
    const runId = path.replace("/runs/", "");
    const runs = runStore();
    await expect
      .poll(async () => (await runs.openIds(runId, "sources")).join(), { timeout: 180_000 })
      .toBe(sourceId);
    const today = await operator.ask<{ unfinished: object[] }>("GET", "/today");
    expect(today.body.unfinished).toMatchObject([
      {
        ...{ runId, mode: "LIVE", openCount: 1 },
        sources: [{ sourceId, title: stuck, hostKey: `${stuck}:${journals.port}`, waitsFor: "paused" }],
      },
    ]);
    const [requestId] = await runs.openIds(runId, sourceTallyName(sourceId));
    const url = `http://${stuck}:${journals.port}/feed`;
    const body = JSON.stringify({
      request: { id: requestId, kind: "feed", url, context: { runId, sourceId } },
      outcome: {
        ...{ type: "answered", status: 200, url, hops: [], headers: {}, elapsedMs: 1 },
        bodyKey: "bodies/lost",
      },
    });
    expect(await receive(queueNames.feedResponses, functionNames.readFeed, body, messageTries)).toBe(false);
    const report = await operator.runEnds(path);
    expect([report.state, report.totals.delivered]).toEqual(["finished", 49]);
    const { body: found } = await operator.ask<{ sources: object[] }>("GET", `${path}?source=${sourceId}`);
    expect(found.sources).toMatchObject([
      { sourceId, state: "failed", reason: expect.stringMatching(/^its response could not be processed: /) },
    ]);
    expect((await failedMessages())[0]).toMatchObject({ subject: { runId, sourceId } });
  });

  it("skip-a-source → closed with the reason; the run is finished, and a second skip changes nothing", async () => {
    const sourceId = stuck.replaceAll(".", "-");
    const path = await operator.startRun();
    const runId = path.replace("/runs/", "");
    const { runStore } = await import("../../shared/adapters/records/run-store.ts");
    const runs = runStore();
    await expect
      .poll(async () => (await runs.openIds(runId, "sources")).join(), { timeout: 180_000 })
      .toBe(sourceId);
    const skip = () =>
      operator.ask("POST", `${path}/sources/${sourceId}/skip`, { reason: "the site is down" });
    expect((await skip()).status).toBe(204);
    const report = await operator.runEnds(path);
    expect(report.state).toBe("finished");
    expect((await skip()).status).toBe(204);
    const { body: found } = await operator.ask<{ sources: object[] }>("GET", `${path}?source=${sourceId}`);
    expect(found.sources).toMatchObject([
      { sourceId, state: "failed", reason: expect.stringMatching(/^skipped by .*: the site is down$/) },
    ]);
  });
});
