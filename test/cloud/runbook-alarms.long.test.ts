import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import type { Faults } from "../../local/cloud/faults.ts";
import type { FunctionLog } from "../../local/cloud/lambda/function-log.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { type LocalSparqlEndpoint, startSparqlEndpoint } from "../../local/demo/sparql-endpoint.ts";
import { demoSource } from "../../local/start/seed.ts";
import {
  deadLetterQueueName,
  eventBusName,
  functionNames,
  queueNames,
  tableNames,
} from "../../shared/names.ts";
import type { Document } from "../../shared/records/documents/document.ts";
import type { DomainEvent } from "../../shared/records/events/events.ts";
import type { FailedMessageSummary } from "../../shared/records/messages/failed-message.ts";
import type { ConfigurationItem } from "../../shared/records/sources/configuration.ts";
import { templates } from "../infra/templates.ts";
import { type SftpServerForTests, serveSftp } from "../shared/deliver/upload/sftp-server.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator, queueArn, type RunReport } from "./operator.ts";
import { deliverBySftp, setSftpLogin } from "./sftp-group.ts";

const stateDir = stateFolder();
const logs: FunctionLog[] = [];
let site: DemoSite;
let receiver: SftpServerForTests;
let sparql: LocalSparqlEndpoint;
let cloud: LocalCloud;
let operator: Operator;
let host: string;

/** The function whose calls to AWS fail. */
let unavailable: string | undefined;
const outage: Faults = {
  ofCall: ({ functionName }) =>
    functionName !== undefined && functionName === unavailable ? "fail" : undefined,
  ofDelivery: () => undefined,
  pauseMs: () => 0,
  clockOffset: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
};

beforeAll(async () => {
  [site, receiver, sparql] = await Promise.all([startDemoSite(), serveSftp(), startSparqlEndpoint({})]);
  host = new URL(site.origin).host;
  cloud = await testCloud(stateDir, {
    allowedPrivateHosts: [host],
    sparqlEndpoint: sparql.url,
    faults: outage,
    // A message to the validation stands for the deadline of a run.
    context: { "ingather:softDeadlineMinutes": "0" },
    onLog: (line) => void logs.push(line),
  });
  operator = new Operator(cloud);
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)]);
  await deliverBySftp(receiver);
  setSftpLogin(stateDir, { password: receiver.password });
});
afterAll(() => Promise.all([site.close(), receiver.close(), sparql.close()]));

async function configuration() {
  const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
  return configurationStore();
}
async function configure(item: ConfigurationItem | undefined): Promise<void> {
  if (item !== undefined) await (await configuration()).put(item);
}

/** Edits an item of the configuration by hand such that it is not valid. @returns what it was */
async function spoil(kind: ConfigurationItem["kind"], id: string): Promise<ConfigurationItem | undefined> {
  const store = await configuration();
  const before = await store.item({ kind, id });
  await store.put({ kind, id, value: { throttleMs: "soon" } });
  return before;
}

/** The errors that a function has logged, as text. */
const errorsOf = (functionName: string) =>
  logs
    .filter((line) => line.functionName === functionName && line.level === "ERROR")
    .map((line) => JSON.stringify(line));

async function send(queue: string, message: object): Promise<void> {
  await operator.sqs("SendMessage", {
    QueueUrl: operator.queueUrl(queue),
    MessageBody: JSON.stringify(message),
  });
}

/** Receives the message of a queue, whose event source is disabled, until SQS moves it to the dead-letter queue. */
async function giveUp(queue: string): Promise<void> {
  const maxReceives = 30;
  for (let receives = 0; receives < maxReceives; receives += 1)
    if ((await operator.receive(queue, 0)) === undefined) return;
  throw new Error(`${queue} still has its message`);
}

const reconversion = async (path: string) => (await operator.ask<{ state: string }>("GET", path)).body;

/** Requests the new conversion of the delivered records. @returns its path */
async function requestReconversion(): Promise<string> {
  const { body } = await operator.ask<{ result: string }>("POST", "/reconversions", {
    source: "demo-journal",
  });
  return body.result;
}

/** Waits for a message in the dead-letter queue of a queue, which raises the alarm. */
async function quarantined(queue: string): Promise<FailedMessageSummary> {
  const found = async () => (await operator.failedMessages()).find((each) => each.queue === queue);
  await expect.poll(found).toBeDefined();
  return (await found()) as FailedMessageSummary;
}

const isMoved = { Status: "COMPLETED" };

describe("the runbook's alarms, walked", () => {
  it("delivery-stopped, and no-run-ended → the run names stage and reason; redriven, it is delivered", async () => {
    setSftpLogin(stateDir, { password: "an old one" });
    await operator.switchEventSources(false, queueNames.upload);
    const run = await operator.startRun();
    await expect.poll(() => operator.visible(queueNames.upload)).toBe(1);
    expect(await operator.failUntilDead(queueNames.upload, functionNames.uploadRecords)).toBe(5);
    const failed = await operator.runEnds(run);
    expect(failed).toMatchObject({ state: "failed", failure: { stage: "upload" } });
    expect(failed.failure?.reason).toContain("sftp://");
    const { body } = await operator.ask<{ runs: RunReport[] }>("GET", "/runs");
    expect(body.runs.find(({ runId }) => runId === failed.runId)).toMatchObject({ state: "failed" });
    setSftpLogin(stateDir, { password: receiver.password });
    await operator.switchEventSources(true, queueNames.upload);
    expect(await operator.redrive(deadLetterQueueName(queueNames.upload))).toMatchObject(isMoved);
    await expect
      .poll(async () => (await operator.ask<RunReport>("GET", run)).body)
      .toMatchObject({ state: "finished", totals: { delivered: 10 } });
    expect(receiver.files.size).toBe(1);
  });

  it("harvest-not-started → the log names what the message lacks; sent again, a run starts", async () => {
    await send(queueNames.runStarts, { deliveryMode: "LIFE", scheduledTime: "2026-11-20T20:00:00Z" });
    const failed = await quarantined(queueNames.runStarts);
    expect(failed.reason).toContain("deliveryMode");
    expect((await operator.ask("DELETE", `/failed-messages/${failed.id}`)).status).toBe(204);
    await send(queueNames.runStarts, { deliveryMode: "LIVE", scheduledTime: "2026-11-20T20:00:00Z" });
    expect(await operator.runEnds("/runs/live-20261120T200000Z")).toMatchObject({
      state: "finished",
      totals: { entries: 12 },
    });
  });

  it("failed-messages, and messages-wait → the reader fails at the answer; the run ends without the source, and the next one reads it", async () => {
    const queue = queueNames.feedResponses;
    await operator.switchEventSources(false, queue);
    const run = await operator.startRun();
    await expect.poll(() => operator.visible(queue)).toBe(1);
    const source = await spoil("source", "demo-journal");
    const { receives, id } = await operator.failUntilQuarantined(queue, functionNames.readFeed);
    expect(receives).toBe(5);
    expect(errorsOf(functionNames.readFeed).at(-1)).toContain("demo-journal");
    expect(await operator.runEnds(run)).toMatchObject({ state: "finished", totals: { entries: 0 } });
    await configure(source);
    await operator.switchEventSources(true, queue);
    await operator.retry(id);
    await cloud.waitUntilIdle();
    expect(await operator.runNow()).toMatchObject({ state: "finished", totals: { entries: 12 } });
  });

  it("responses-dead-letters → redriven, the response is read, and the run ends with its articles", async () => {
    const queue = queueNames.feedResponses;
    await operator.switchEventSources(false, queue);
    const run = await operator.startRun();
    await expect.poll(() => operator.visible(queue)).toBe(1);
    await giveUp(queue);
    await operator.switchEventSources(true, queue);
    expect(await operator.redrive(deadLetterQueueName(queue))).toMatchObject(isMoved);
    expect(await operator.runEnds(run)).toMatchObject({ state: "finished", totals: { entries: 12 } });
  });

  it("requests-dead-letters → the host says until when it is not requested; corrected and redriven, it is", async () => {
    const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
    const queue = queueNames.requests;
    await operator.switchEventSources(false, queue);
    const run = await operator.startRun();
    await expect.poll(() => operator.visible(queue)).toBe(1);
    for (let receives = 0; receives <= 1000; receives += 1) await operator.receive(queue, 0);
    expect(await operator.visible(deadLetterQueueName(queue))).toBe(1);
    const backoffUntilMs = Date.parse("2099-01-01T00:00:00Z");
    await hostStore().save({ ...(await hostStore().load(host)), backoffUntilMs });
    expect(JSON.stringify((await operator.ask("GET", `/hosts/${host}`)).body)).toContain("2099-01-01");
    await hostStore().save({ ...(await hostStore().load(host)), backoffUntilMs: 0 });
    await operator.switchEventSources(true, queue);
    expect(await operator.redrive(deadLetterQueueName(queue))).toMatchObject(isMoved);
    expect(await operator.runEnds(run)).toMatchObject({ state: "finished", totals: { entries: 12 } });
  });

  it("requests-rejected → the reason is with the message, which is deleted", async () => {
    await operator.sqs("SendMessage", {
      QueueUrl: operator.queueUrl(queueNames.requests),
      MessageBody: JSON.stringify({ url: "no address", context: { sourceId: "demo-journal" } }),
      MessageGroupId: "nowhere",
    });
    await expect.poll(() => operator.visible(queueNames.rejectedRequests)).toBe(1);
    const dead = await operator.receive(queueNames.rejectedRequests, 60);
    expect(dead?.MessageAttributes?.reason?.StringValue).toContain("kind: Invalid option");
    expect(dead?.Body).toContain("demo-journal");
    await operator.remove(queueNames.rejectedRequests, dead);
    expect(await operator.visible(queueNames.rejectedRequests)).toBe(0);
  });

  it("mail-not-read → the log says why; the run ends without the source", async () => {
    const queue = queueNames.mailReadings;
    const value = {
      ...demoSource(site.feedUrl),
      sourceId: "demo-mail",
      type: "EMAIL",
      email: { subjectRegex: "^C" },
    };
    await configure({ kind: "source", id: "demo-mail", value });
    await operator.switchEventSources(false, queue);
    const run = await operator.startRun();
    await expect.poll(() => operator.visible(queue)).toBe(1);
    await spoil("source", "demo-mail");
    const { receives, id } = await operator.failUntilQuarantined(queue, functionNames.readMail);
    expect(receives).toBe(5);
    expect(errorsOf(functionNames.readMail).at(-1)).toContain("demo-mail");
    await configure({ kind: "source", id: "demo-mail", value });
    await operator.switchEventSources(true, queue);
    await operator.retry(id);
    expect(await operator.runEnds(run)).toMatchObject({ state: "finished" });
    await (await configuration()).discard({ kind: "source", id: "demo-mail" });
  });

  it("uploads-not-read → it has ended with the reason; sent again, it is read", async () => {
    const queue = queueNames.documentUploads;
    const value = { ...demoSource(site.feedUrl), sourceId: "theses", type: "UPLOAD" };
    await configure({ kind: "source", id: "theses", value });
    await operator.switchEventSources(false, queue);
    const documents = [{ identifier: "a", format: "other", metadata: "kept as it is" }];
    const { body } = await operator.ask<{ uploadId: string }>("POST", "/documents", {
      sourceId: "theses",
      content: "documents",
      documents,
    });
    await expect.poll(() => operator.visible(queue)).toBe(1);
    await spoil("source", "theses");
    expect((await operator.failUntilQuarantined(queue, functionNames.readUpload)).receives).toBe(5);
    expect(errorsOf(functionNames.readUpload).at(-1)).toContain("theses");
    const upload = async (uploadId: string) =>
      (await operator.ask<{ status: string; problem?: string }>("GET", `/documents/uploads/${uploadId}`))
        .body;
    expect(await upload(body.uploadId)).toMatchObject({
      status: "done",
      problem: expect.stringContaining("it could not be read to its end"),
    });
    await configure({ kind: "source", id: "theses", value });
    await operator.switchEventSources(true, queue);
    const again = await operator.ask<{ uploadId: string }>("POST", "/documents", {
      ...{ sourceId: "theses", content: "documents", documents },
    });
    await expect.poll(() => upload(again.body.uploadId)).toMatchObject({ status: "done" });
    await (await configuration()).discard({ kind: "source", id: "theses" });
  });

  it("source-events-dead-letters → the log names field and value; published again, the source is there", async () => {
    const { EventBridgeClient, PutEventsCommand } = await import("@aws-sdk/client-eventbridge");
    const bus = new EventBridgeClient({});
    const source = { ...demoSource(site.feedUrl), sourceId: "from-the-catalogue", paused: true };
    const publish = (type: string) =>
      bus.send(
        new PutEventsCommand({
          Entries: [
            {
              EventBusName: eventBusName,
              Source: "catalogue.library.example",
              DetailType: "source.new",
              Detail: JSON.stringify({ source: { ...source, type } }),
            },
          ],
        }),
      );
    await publish("RSSS");
    const failed = await quarantined(queueNames.sourceEvents);
    expect(errorsOf(functionNames.changeSource).at(-1)).toMatch(/type.*RSSS/);
    await publish("RSS");
    const added = async () => (await operator.ask("GET", "/sources/from-the-catalogue")).status;
    await expect.poll(added).toBe(200);
    await operator.ask("DELETE", `/failed-messages/${failed.id}`);
    await operator.ask("DELETE", "/sources/from-the-catalogue");
  });

  it("gate-fails → Lambda counts an error of each invocation, and the log says why; repaired, the run continues automatically", async () => {
    unavailable = functionNames.sendRequests;
    const before = logs.length;
    const run = await operator.startRun();
    const failed = () =>
      logs
        .slice(before)
        .filter(
          ({ functionName, message }) =>
            functionName === functionNames.sendRequests && message === "the invocation failed",
        );
    await expect.poll(() => failed().length).toBeGreaterThanOrEqual(1);
    expect(errorsOf(functionNames.sendRequests).join()).toContain("the group failed");
    unavailable = undefined;
    expect(await operator.runEnds(run)).toMatchObject({ state: "finished", totals: { entries: 12 } });
  });

  it("nothing-delivered → the log has what the alarm counts; the reader works again, and a run delivers", async () => {
    const { resources } = await templates();
    const [, filter] =
      resources.find(
        ([, { Type, Properties }]) =>
          Type === "AWS::Logs::MetricFilter" &&
          Properties.MetricTransformations[0].MetricName === "NothingDelivered",
      ) ?? [];
    const phrase: string = JSON.parse(filter?.Properties.FilterPattern);
    const counted = () => errorsOf(functionNames.sendReport).filter((line) => line.includes(phrase));
    const before = counted().length;
    await operator.switchEventSources(false, queueNames.feedResponses);
    const run = await operator.startRun();
    await expect.poll(() => operator.visible(queueNames.feedResponses)).toBe(1);
    // As the deadline of the run does.
    await send(queueNames.validate, { runId: run.split("/").at(-1) });
    expect(await operator.runEnds(run)).toMatchObject({ state: "finished", totals: { delivered: 0 } });
    expect(counted().slice(before)).toEqual([expect.stringContaining("none of 1 source could be read")]);
    await operator.switchEventSources(true, queueNames.feedResponses);
    await cloud.waitUntilIdle();
    expect(await operator.runEnds(await operator.startRun())).toMatchObject({ totals: { entries: 12 } });
    expect(counted()).toHaveLength(before + 1);
  });

  it("probe-fails → the gate is closed by hand; the next probe opens it", async () => {
    const { networkFlag } = await import("../../shared/adapters/gate/network-store.ts");
    const closed = {
      state: "down" as const,
      since: new Date().toISOString(),
      why: "by hand",
      isNotified: true,
    };
    await networkFlag().change(closed);
    expect(await cloud.invoke(functionNames.sweepCollections, {})).toMatchObject({ network: "down" });
    expect(await cloud.invoke(functionNames.probeNetwork, {})).toEqual({ state: "up" });
    expect(await networkFlag().get()).toMatchObject({ state: "up" });
    // Functions remember the flag for a second.
    const sweep = () => cloud.invoke(functionNames.sweepCollections, {});
    await expect.poll(sweep, { interval: 250 }).toMatchObject({ network: "up" });
  });

  it("changes-not-published → the log names what the bus refuses; mended, the function publishes what is left", async () => {
    const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
    const at = "2026-11-20T20:00:00.000Z";
    const event: DomainEvent = {
      type: "item.new",
      changeId: "left/too-large",
      detail: { text: "x".repeat(257 * 1024) },
    };
    const document: Omit<Document, "outbox" | "revision"> = {
      sourceId: "demo-journal",
      documentId: "left",
      identifier: ["oai:x:left"],
      state: "present",
      versions: [{ version: 1, type: "new", at, datestamp: "2026-11-20", hash: "h" }],
      firstListedAt: at,
      changedAt: at,
      pendingSince: at,
    };
    await documentStore().save({
      ...document,
      outbox: [{ type: "event", event }],
      revision: 1,
    });
    await expect(cloud.invoke(functionNames.publishChanges, {})).rejects.toThrow("left/too-large");
    await documentStore().save({ ...document, outbox: [{ type: "change" }], revision: 2 });
    expect(await cloud.invoke(functionNames.publishChanges, {})).toMatchObject({ documents: 1 });
    expect(readFileSync(join(stateDir, "events.ndjson"), "utf8")).toContain('"oai:x:left"');
    expect(await cloud.invoke(functionNames.publishChanges, {})).toMatchObject({ documents: 0 });
  });

  it("links-not-checked → invoked, also for an earlier time; a collection that is not valid is listed", async () => {
    await operator.ask("PUT", "/collections/demo-journal", { title: "Lantern & Lathe" });
    const { PutCommand } = await import("@aws-sdk/lib-dynamodb");
    const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
    const Item = { kind: "collection", collectionId: "spoilt", title: 7 };
    await dynamodb.send(new PutCommand({ TableName: tableNames.collections, Item }));
    const swept = await cloud.invoke(functionNames.sweepCollections, {});
    expect(swept).toMatchObject({ network: "up", swept: 1, unusable: [{ collectionId: "spoilt" }] });
    const { body } = await operator.ask<{ unusable: object[] }>("GET", "/collections");
    expect(body.unusable).toMatchObject([{ collectionId: "spoilt" }]);
    for (const name of [functionNames.sampleLinks, functionNames.reportLinks]) {
      await cloud.invoke(name, { time: "2026-11-20T06:00:00Z" });
      await expect(cloud.invoke(name, { time: "yesterday" })).rejects.toThrow("time: must be a time");
    }
  });

  it("mails-bounce → the recipients of a collection are corrected, and the next mail goes to them", async () => {
    const collection = "/collections/demo-journal";
    const recipientsOf = async (recipients: string[]) => {
      await operator.ask("PUT", collection, { title: "Lantern & Lathe", recipients });
      const before = new Set(globSync("mail/collection.demo-journal.*.eml", { cwd: stateDir }));
      await operator.ask("POST", `${collection}/hold`, { reason: "moves" });
      await operator.ask("POST", `${collection}/release`, { reason: "has moved" });
      const mails = globSync("mail/collection.demo-journal.*.eml", { cwd: stateDir });
      return mails
        .filter((mail) => !before.has(mail))
        .map((mail) => readFileSync(join(stateDir, mail), "utf8"));
    };
    const [wrong = ""] = await recipientsOf(["gone@library.example"]);
    expect(wrong).toContain("gone@library.example");
    const mails = await recipientsOf(["here@library.example"]);
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(mail).toContain("here@library.example");
      expect(mail).not.toContain("gone@library.example");
    }
  });

  it("sets-not-registered → the log names the endpoint; repaired and redriven, checks of the set know it", async () => {
    const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
    const queue = queueNames.setRegistrations;
    const url = "https://provider.example/oai";
    const oai = { set: "globes", metadataPrefix: "oai_dc" };
    const value = { sourceId: "globes", title: "Globes", url, groupId: "G", audiences: ["primo"], oai };
    // Paused: its repository is not there to be read.
    await configure({ kind: "source", id: "globes", value: { ...value, paused: true } });
    await sparql.close();
    await operator.switchEventSources(false, queue);
    await messageQueue("setRegistrationsQueue").send({ sourceId: "globes" });
    expect(await operator.failUntilDead(queue, functionNames.registerSet)).toBe(20);
    expect(errorsOf(functionNames.registerSet).at(-1)).toContain(`${sparql.url} gave no response`);
    sparql = await startSparqlEndpoint({ port: Number(new URL(sparql.url).port) });
    await operator.switchEventSources(true, queue);
    expect(await operator.redrive(deadLetterQueueName(queue))).toMatchObject(isMoved);
    await cloud.waitUntilIdle();
    const set = encodeURIComponent(`${url}?verb=ListRecords&metadataPrefix=oai_dc&set=globes`);
    expect(await operator.askText(`/admin/check?set=${set}`)).toContain("use-harvester");
    await (await configuration()).discard({ kind: "source", id: "globes" });
  });

  it("schedules-dead-letters → the message names its schedule, target and error; its body is sent to the target", async () => {
    const { createOneTimeSchedule } = await import("../../shared/adapters/aws/schedules.ts");
    const input = { deliveryMode: "LIVE", scheduledTime: "2026-11-21T20:00:00Z" };
    const targetArn = queueArn(queueNames.runStarts);
    // The role of deadlines may not send there.
    await createOneTimeSchedule("deadline-of-a-test", new Date().toISOString(), { targetArn, input });
    await expect.poll(() => operator.visible(queueNames.scheduleDeadLetters)).toBe(1);
    const dead = await operator.receive(queueNames.scheduleDeadLetters, 60);
    expect(dead?.MessageAttributes).toMatchObject({
      SCHEDULE_ARN: { StringValue: expect.stringMatching(/deadline-of-a-test$/) },
      TARGET_ARN: { StringValue: targetArn },
      ERROR_CODE: { StringValue: "AccessDenied" },
      ERROR_MESSAGE: { StringValue: expect.stringContaining("sqs:SendMessage") },
    });
    await send(queueNames.runStarts, JSON.parse(dead?.Body ?? ""));
    await operator.remove(queueNames.scheduleDeadLetters, dead);
    expect(await operator.runEnds("/runs/live-20261121T200000Z")).toMatchObject({ state: "finished" });
  });

  it("api-fails → the log has the error with the path; what was sent is repeated with its key, and done once", async () => {
    const start = () =>
      operator.ask<{ result?: string }>("POST", "/runs", { mode: "LIVE" }, { "idempotency-key": "a-run" });
    unavailable = functionNames.operatorApi;
    expect((await start()).status).toBeGreaterThanOrEqual(500);
    expect(errorsOf(functionNames.operatorApi).at(-1)).toContain("/runs");
    unavailable = undefined;
    const first = await start();
    expect(first.status).toBe(202);
    expect((await start()).body).toEqual(first.body);
    expect(await operator.runEnds(first.body.result ?? "")).toMatchObject({ state: "finished" });
  });

  it("changes-not-logged → the log names the error; repaired, the function logs what is left", async () => {
    unavailable = functionNames.logChanges;
    await expect(cloud.invoke(functionNames.logChanges, {})).rejects.toThrow();
    expect(errorsOf(functionNames.logChanges).length).toBeGreaterThan(0);
    unavailable = undefined;
    await cloud.invoke(functionNames.logChanges, {});
    expect(await cloud.invoke(functionNames.logChanges, {})).toEqual({ logged: 0 });
  });

  it("records-not-reconverted → redriven, the records are compared", async () => {
    const queue = queueNames.reconversions;
    await operator.switchEventSources(false, queue);
    const path = await requestReconversion();
    await giveUp(queue);
    expect((await reconversion(path)).state).toBe("converting");
    await operator.switchEventSources(true, queue);
    expect(await operator.redrive(deadLetterQueueName(queue))).toMatchObject(isMoved);
    await expect.poll(async () => (await reconversion(path)).state).toBe("tried");
  });

  it("updates-not-delivered → delivered when it is resumed; the message is deleted", async () => {
    const queue = queueNames.updates;
    const before = await (await configuration()).item({ kind: "source", id: "demo-journal" });
    // None of its records is in Latin.
    await configure(
      before && { ...before, value: { ...before.value, expectedLanguages: { codes: ["lat"] } } },
    );
    const path = await requestReconversion();
    await expect.poll(async () => (await reconversion(path)).state).toBe("tried");
    await operator.switchEventSources(false, queue);
    expect((await operator.ask("POST", `${path}/deliver`)).status).toBe(202);
    await giveUp(queue);
    expect((await reconversion(path)).state).toBe("delivering");
    await operator.switchEventSources(true, queue);
    expect((await operator.ask("POST", `${path}/deliver`)).status).toBe(202);
    await expect.poll(async () => (await reconversion(path)).state).toBe("delivered");
    await operator.remove(deadLetterQueueName(queue), await operator.receive(deadLetterQueueName(queue), 0));
    await configure(before);
  });

  // The last: its message stays in the queue as long as a reader may still store documents of the source.
  it("documents-not-deleted → redriven, the documents of the deleted source are deleted", async () => {
    const queue = queueNames.documentDeletions;
    const { groupId } = demoSource(site.feedUrl);
    const added = { sourceId: "maps", title: "Maps", type: "UPLOAD", url: site.origin, groupId };
    expect(await operator.ask("POST", "/sources", added)).toMatchObject({ status: 201 });
    const documents = [{ identifier: "a", format: "other", metadata: "kept as it is" }];
    await operator.ask("POST", "/documents", { sourceId: "maps", content: "documents", documents });
    const states = async () => {
      const path = "/sources/maps/documents";
      const { body } = await operator.ask<{ documents: { state: string }[] }>("GET", path);
      return body.documents.map(({ state }) => state);
    };
    await expect.poll(states).toEqual(["present"]);
    await operator.switchEventSources(false, queue);
    expect((await operator.ask("DELETE", "/sources/maps?documents=delete")).status).toBeLessThan(300);
    await expect.poll(() => operator.visible(queue)).toBe(1);
    await giveUp(queue);
    expect(await states()).toEqual(["present"]);
    await operator.switchEventSources(true, queue);
    expect(await operator.redrive(deadLetterQueueName(queue))).toMatchObject(isMoved);
    await expect.poll(states).toEqual(["deleted"]);
  });

  it("the saved queries ask for fields that the logs of these failures have", async () => {
    unavailable = functionNames.packCapture;
    await send(queueNames.capturePackages, { jobId: 424242 });
    await expect.poll(() => errorsOf(functionNames.packCapture).join()).toContain('"jobId":424242');
    unavailable = undefined;
    const logged = new Set(
      logs.filter(({ level }) => level === "ERROR").flatMap((line) => Object.keys(line)),
    );
    const { resources } = await templates();
    const queries = resources.filter(([, { Type }]) => Type === "AWS::Logs::QueryDefinition");
    const asked = queries.flatMap(([, { Properties }]) => {
      const [, filter = ""] = /^\| filter (.*)$/m.exec(Properties.QueryString) ?? [];
      const [, fields = ""] = /^fields (.*)$/m.exec(Properties.QueryString) ?? [];
      const inFilter = [...filter.matchAll(/([@\w]+)(?= !?=)|(?<=ispresent\()\w+/g)].map(([name]) => name);
      return [...inFilter, ...fields.split(", ")].filter((name) => name !== "" && !name.startsWith("@"));
    });
    expect(asked.length).toBeGreaterThan(20);
    expect([...new Set(asked)].filter((name) => !logged.has(name))).toEqual([]);
  });
});
