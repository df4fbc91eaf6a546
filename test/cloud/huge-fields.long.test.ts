import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import yazl from "yazl";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { bucketNames, functionNames } from "../../shared/names.ts";
import { type HugeSite, startHugeSite } from "./huge-fields/site.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

let cloud: LocalCloud;
let site: HugeSite;
let operator: Operator;
const sourceIdOf = ({ sourceId }: { sourceId: string }) => sourceId;

beforeAll(async () => {
  site = await startHugeSite();
  cloud = await testCloud(stateFolder(), {
    allowedPrivateHosts: [new URL(site.origin).host],
    translationServer: site.translationServer,
  });
  operator = new Operator(cloud);
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { localGroup } = await import("../../local/local-group.ts");
  const { putObject } = await import("../../shared/adapters/aws/s3.ts");
  const { groupId } = localGroup;
  const owner = { ...localGroup, authorLookupUrl: site.authorLookupUrl };
  await storeConfiguration(
    [...site.sources, site.uploads].map((source) => ({ ...source, groupId })),
    [],
    owner,
  );
  const bucket = bucketNames.receivedMail("000000000000", process.env.AWS_REGION ?? "");
  for (const [index, mail] of site.mails.entries())
    await putObject(bucket, `m${index}`, { content: Buffer.from(mail), contentType: "message/rfc822" });
});
afterAll(() => site.close());

/** A message that cannot be stored fails time and again: nothing waits for it any longer than this. */
async function expectNoFailures(): Promise<void> {
  const { deadLetters } = await import("../../shared/operations/stores/dead-letters.ts");
  await cloud.waitUntilIdle();
  expect(await deadLetters()()).toEqual([]);
}

async function run(scheduledTime: string) {
  const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { buildRunId } = await import("../../shared/records/runs/run.ts");
  const start = { deliveryMode: "LIVE" as const, scheduledTime };
  await messageQueue("runStartsQueue").send(start);
  await expectNoFailures();
  const runId = buildRunId(start);
  expect(await runStore().get(runId)).toMatchObject({ state: "finished" });
  return { runId, runs: runStore() };
}

it("450 KB in each field of each kind of answer → the run ends, and delivers the articles beside them", async () => {
  const { deliveryStore } = await import("../../shared/deliver/stores/delivery-store.ts");
  const { runId, runs } = await run("2026-11-20T19:00:00Z");
  const outcomes = await runs.sourceOutcomes(runId);
  // The outcomes of repositories are those of their own runs.
  const listed = site.sources.filter(({ type }) => type !== "OAI-PMH");
  expect(outcomes.map(sourceIdOf).toSorted()).toEqual(listed.map(sourceIdOf).toSorted());
  const files = await deliveryStore().list({ limit: 10 });
  const texts = await Promise.all(
    files.map(async ({ key }) => (await buffer(await deliveryStore().readFile(key))).toString()),
  );
  expect(site.usual.filter((url) => !texts.join().includes(url))).toEqual([]);
});

it("uploads of documents with 450 KB in a field → each has an outcome", async () => {
  const zip = new yazl.ZipFile();
  const documents = site.documents.map((metadata, index) => {
    zip.addBuffer(Buffer.from(metadata), `${index}.xml`, { compress: false });
    return { identifier: `${index}`, format: "oai_dc", metadata: `${index}.xml` };
  });
  const long = "x".repeat(450_000);
  const odd = { identifier: long, format: "oai_dc", metadata: "0.xml" };
  zip.addBuffer(
    Buffer.from(
      JSON.stringify({
        documents: [
          ...documents,
          odd,
          { ...odd, identifier: "f", format: long },
          { ...odd, identifier: "n", metadata: long },
          { ...odd, identifier: "g", files: [{ name: long }] },
        ],
      }),
    ),
    "manifest.json",
    { compress: false },
  );
  zip.end();
  const { status, body } = await operator.ask<{ uploadId: string; files: { url: string }[] }>(
    "POST",
    "/documents",
    { sourceId: "uploads", content: "zip" },
  );
  expect(status).toBe(202);
  const content = await buffer(zip.outputStream);
  await fetch(body.files[0]?.url ?? "", { method: "PUT", body: new Uint8Array(content) });
  await operator.ask("POST", `/documents/uploads/${body.uploadId}/complete`);
  await expectNoFailures();
  const upload = await operator.ask<{ status: string; counts: object }>(
    "GET",
    `/documents/uploads/${body.uploadId}`,
  );
  expect(upload.body).toMatchObject({
    status: "done",
    counts: { documents: site.documents.length + 4, refused: 4 },
  });
  await run("2026-11-21T19:00:00Z");
});

it("the kind of source at an address, and checks of sets, with 450 KB in a field → each has a result", async () => {
  for (const { url } of site.sources) {
    const { body } = await operator.ask<{ result: string }>("POST", "/detections", { url });
    await expectNoFailures();
    expect((await operator.ask<{ status: string }>("GET", body.result)).body.status).toBe("finished");
  }
  for (const { url, type } of site.sources.filter(({ type }) => type === "OAI-PMH")) {
    const set = encodeURIComponent(`${url}?verb=ListRecords&metadataPrefix=oai_dc&set=${type}`);
    expect(await operator.askText(`/admin/check?set=${set}`)).toMatch(/<(count|error)/);
  }
  await expectNoFailures();
});

it("links to pages with 450 KB in a field → each check has a verdict", async () => {
  for (const { sourceId } of site.sources) {
    const rule = { xpath: "//title | //a", throttleSeconds: 0 };
    await operator.ask("PUT", `/collections/${sourceId}`, { title: sourceId, rule });
  }
  await cloud.invoke(functionNames.sweepCollections, {});
  await expectNoFailures();
});

it("a capture of pages with 450 KB in a link → the job ends", async () => {
  const seeds = site.sources.filter(({ type }) => type === "CRAWL").map(({ url }) => url);
  const { body } = await operator.ask<{ id: string }>("POST", "/snapshots", {
    title: "T",
    type: "selective",
    seeds,
  });
  await operator.ask("POST", `/snapshots/${body.id}/activate`);
  await cloud.waitUntilIdle();
  await cloud.invoke("ingather-generate-jobs", { time: new Date(Date.now() + 120_000).toISOString() });
  await expectNoFailures();
  const { body: made } = await operator.ask<{ jobs: { state: string }[] }>(
    "GET",
    `/snapshots/${body.id}/jobs`,
  );
  expect(made.jobs.map(({ state }) => state)).toEqual(["done"]);
});
