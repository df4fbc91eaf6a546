import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type DemoSite, demoPort, startDemoSite } from "../../local/demo/site.ts";
import { demoCollection, demoSource } from "../../local/start/seed.ts";
import { digest } from "../../shared/core/digest.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { storedContents } from "./stored-contents.ts";

const root = join(import.meta.dirname, "../..");
const functions = globSync("functions/*/*.ts", { cwd: root }).map((file) => basename(file, ".ts"));

/**
 * The samples tell one story: the first article of the demo's feed, from the start of a run to its report, and its
 * link.
 */
const story = [
  "probe-network",
  "admit-requests",
  "poll-sources",
  "start-harvest",
  "send-requests",
  "read-feed",
  "read-crawled-page",
  "read-oai-page",
  "read-mail",
  "read-article",
  "read-authority",
  "read-doi-metadata",
  "validate-records",
  "upload-records",
  "archive-records",
  "find-overdue",
  "send-report",
  "store-item",
  "read-upload",
  "import-configuration",
  "publish-changes",
  "change-source",
  "delete-documents",
  "sweep-collections",
  "judge-link",
  "sample-links",
  "report-links",
  "log-changes",
  "oai-provider",
  "test-rule",
  "check-set",
  "read-checked-page",
  "register-set",
  "public-api",
  "operator-api",
  "describe-api",
  "console",
  "detect-source",
  "check-repository",
  "resend-file",
  "reconvert-records",
  "deliver-updates",
  "snapshots-api",
  "plan-index",
  "build-index-part",
  "generate-jobs",
  "begin-capture",
  "read-capture",
  "record-index",
  "finish-capture",
  "pack-capture",
];

const reconversionId = "20261120T190000Z-sample00";

/** The day is that of the test. */
const firstFile = expect.stringMatching(/^Ingather_zotero_\d{6}_001\.xml$/);

function sample(name: string): unknown {
  const text = readFileSync(join(root, "events", `${name}.json`), "utf8");
  const { host, port } = new URL(site.origin);
  return JSON.parse(
    text
      .replaceAll(`127.0.0.1:${demoPort}`, host)
      .replaceAll(`127.0.0.1%3A${demoPort}`, encodeURIComponent(host))
      .replaceAll(recordIdAt(demoPort), recordIdAt(Number(port)))
      .replaceAll(checkIdAt(demoPort), checkIdAt(Number(port))),
  );
}

/** The id of the story's record, where its site is at this port. */
function recordIdAt(port: number): string {
  return digest(
    "demo-journal",
    "doi:10.5555/lantern.7.3.01",
    `http://127.0.0.1:${port}/article/how-to-knit-a-ladder`,
  );
}

/** The id of the story's first check of a set. */
function checkIdAt(port: number): string {
  return digest("check-run", digest("check", `http://127.0.0.1:${port}/feed.xml`, ""), "");
}

let cloud: LocalCloud;
let site: DemoSite;

beforeAll(async () => {
  site = await startDemoSite();
  cloud = await testCloud(stateFolder(), {
    polling: false,
    allowedPrivateHosts: [new URL(site.origin).host],
  });
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)], [demoCollection]);
  const { uploadObjects, uploadStore } = await import("../../shared/harvest/stores/upload-store.ts");
  // The upload of the sample. Its source has been deleted meanwhile.
  const uploadId = "a-sample-has-none";
  const createdAt = "2026-11-20T19:00:00.000Z";
  const content = "documents" as const;
  await uploadStore().create({
    uploadId,
    sourceId: "gone",
    content,
    state: "received",
    files: [],
    createdAt,
  });
  await uploadObjects().saveDocuments(uploadId, []);
  const { reconversionStore } = await import("../../shared/deliver/stores/reconversion-store.ts");
  // The reconversion of the sample, whose source has one delivered record.
  const selection = { type: "source" as const, sourceId: "demo-journal" };
  const wanted = { selection, deliveryMode: "LIVE" as const, asksAgencies: false, by: "anna" };
  const reconversion = { reconversionId, state: "converting" as const, requestedAt: createdAt, ...wanted };
  await reconversionStore().create(reconversion);
  const { importJobStore } = await import("../../shared/adapters/records/import-job-store.ts");
  // The import of the sample. Another one has been done meanwhile.
  const asked = { by: "anna", requestedAt: createdAt, allowRemovals: false, isStrict: false, after: 41 };
  const job = { importId: uploadId, state: "waiting" as const, total: 1, applied: 0, ...asked };
  await importJobStore().create(job, { ini: configuration(journal), files: {} });
});
afterAll(() => site.close());

describe("sample events", () => {
  it("every function has one, and is part of the story", () => {
    const events = globSync("events/*.json", { cwd: root }).map((file) => basename(file, ".json"));
    expect(events.sort()).toEqual(functions.sort());
    expect([...story].sort()).toEqual(functions);
  });

  it.each(story)("%s → done; delivered twice → nothing changes", async (name) => {
    const event = { ...dueAt(name), ...(sample(name) as object) };
    const first = await cloud.invoke(`ingather-${name}`, event);
    expectDone(name, first);
    const before = await storedContents();
    expectDone(name, await cloud.invoke(`ingather-${name}`, event));
    expect(await storedContents()).toEqual(before);
  });

  it("the story ends with one delivered record", async () => {
    const answer = (await cloud.invoke("ingather-operator-api", sample("operator-api"))) as { body: string };
    expect(JSON.parse(answer.body)).toMatchObject({
      deliveries: [{ groupId: "Ingather", fileName: firstFile, records: 1 }],
    });
    const record = (await cloud.invoke("ingather-public-api", sample("public-api"))) as { body: string };
    expect(JSON.parse(record.body)).toMatchObject({ state: "delivered" });
  });

  it("its delivered record, converted again from its stored page → the same", async () => {
    const { reconversionStore } = await import("../../shared/deliver/stores/reconversion-store.ts");
    expect(await reconversionStore().get(reconversionId)).toMatchObject({
      state: "tried",
      counts: { same: 1 },
    });
  });

  it("the host was requested once per page, never twice at once", () => {
    const asked = site
      .requests()
      .map(({ path }) => path)
      .filter((path) => path !== "/robots.txt");
    expect(asked).toEqual(["/feed.xml", "/article/how-to-knit-a-ladder", "/", "/oai"]);
    expect(site.maxConcurrent()).toBe(1);
  });
});

/** The samples of what is done once a day name no time, so that it is done for the day of who invokes them. */
function dueAt(name: string): object {
  return ["sample-links", "report-links"].includes(name) ? { time: "2026-11-20T05:00:00Z" } : {};
}

/** A check continues after its answer; nobody is signed in to the console, and no harvester has a key. */
const statuses: Record<string, number> = { "check-set": 202, console: 401, "oai-provider": 401 };

/** What the functions of schedules yield. */
const summaries: Record<string, object> = {
  "poll-sources": { started: [], failed: [] },
  "probe-network": { state: "up" },
  "sweep-collections": { network: "up", swept: 1, lost: 0, requests: 1, unusable: [], waiting: 0 },
  "sample-links": { network: "up", requests: expect.any(Number) },
  "publish-changes": { documents: 0, items: 0, sourcesWithMissingFiles: 0 },
  "log-changes": { logged: expect.any(Number) },
  "generate-jobs": { active: 0, made: 0 },
  "report-links": { day: "2026-11-19", mails: 1 },
};

function expectDone(name: string, answer: unknown): void {
  const isApi = typeof answer === "object" && answer !== null && "statusCode" in answer;
  if (isApi) expect(answer.statusCode).toBe(statuses[name] ?? 200);
  else expect(answer).toEqual(summaries[name] ?? { batchItemFailures: [] });
}
