import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { bucketNames } from "../../shared/names.ts";
import type { NewSource } from "../../shared/records/sources/source.ts";
import { MockHost, translator } from "../shared/harvest/mock-hosts.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let site: MockHost;
let server: MockHost;

beforeAll(async () => {
  const pages: Record<string, string> = {
    "/toc": '<a href="/issue/1">Issue</a>',
    "/issue/1": '<a href="/a/1">One</a>',
  };
  site = await MockHost.start(({ path }) =>
    pages[path] === undefined ? { status: 404 } : { body: pages[path] },
  );
  const item = (path: string) => ({
    itemType: "journalArticle",
    title: `Item ${path}`,
    url: site.origin + path,
    volume: "1",
    issue: "2",
    date: "2026",
  });
  const offered = (session: string, path: string) => ({
    status: 300,
    body: { session, items: { [site.origin + path]: "x" } },
  });
  server = await MockHost.start(
    translator(
      new Map(
        Object.entries({
          [`${site.origin}/a/1`]: { body: [item("/a/1")] },
          [`${site.origin}/list`]: offered("L", "/a/2"),
          "SELECT L": { body: [item("/a/2")] },
          "1111-1119": offered("S", "/a/3"),
          "SELECT S": { body: [item("/a/3")] },
          [`${site.origin}/a/4`]: { body: [item("/a/4")] },
        }),
      ),
    ),
  );
  cloud = await testCloud(stateFolder(), {
    allowedPrivateHosts: [site.hostKey],
    translationServer: server.origin,
  });
});
afterAll(() => Promise.all([site.stop(), server.stop()]));

it("a crawl, a list, a search and a mail, read by a translation server → four delivered records", async ({
  signal,
}) => {
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { localGroup } = await import("../../local/local-group.ts");
  const { putObject } = await import("../../shared/adapters/aws/s3.ts");
  const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { followRun } = await import("../../local/start/follow-run.ts");
  const { buildRunId } = await import("../../shared/records/runs/run.ts");
  const sourceOf = (
    sourceId: string,
    path: string,
    more: Pick<NewSource, "type"> & Partial<NewSource>,
  ): NewSource => ({
    sourceId,
    title: `Journal ${sourceId}`,
    url: site.origin + path,
    groupId: localGroup.groupId,
    deliveryMode: "LIVE",
    throttleMs: 10,
    ...more,
  });
  const extractionRegex = String.raw`/a/\d$`;
  await storeConfiguration([
    sourceOf("crawl", "/toc", { type: "CRAWL", crawl: { extractionRegex, maxDepth: 1 } }),
    sourceOf("list", "/list", { type: "DIRECT" }),
    sourceOf("search", "/", { type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } }),
    sourceOf("mail", "/", {
      type: "EMAIL",
      crawl: { extractionRegex },
      email: { subjectRegex: "^Contents" },
    }),
  ]);
  const message = `Subject: Contents\r\nContent-Type: text/plain\r\n\r\nNew: ${site.origin}/a/4.\r\n`;
  await putObject(bucketNames.receivedMail("000000000000", process.env.AWS_REGION ?? ""), "m1", {
    content: new TextEncoder().encode(message),
    contentType: "message/rfc822",
  });
  const start = { deliveryMode: "LIVE" as const, scheduledTime: new Date().toISOString() };
  await messageQueue("runStartsQueue").send(start);
  const report = await followRun(buildRunId(start), runStore(), { print: () => {}, signal });
  expect(report.run.state).toBe("finished");
  expect(
    report.sources.map(({ sourceId, state, reason, delivered }) => [sourceId, state, reason, delivered]),
  ).toEqual([
    ["crawl", "read", undefined, 1],
    ["list", "read", undefined, 1],
    ["mail", "read", undefined, 1],
    ["search", "read", undefined, 1],
  ]);
  const token = await cloud.issueToken({ sub: "operator@localhost" });
  const ask = async (path: string) =>
    (await fetch(cloud.apiUrl + path, { headers: { authorization: `Bearer ${token}` } })).json();
  const listed = await ask("/runs?limit=1");
  expect(listed).toMatchObject({ runs: [{ runId: buildRunId(start), state: "finished" }] });
  expect(await ask(`/runs/${buildRunId(start)}?limit=2`)).toMatchObject({
    state: "finished",
    totals: { delivered: 4 },
    files: [{ kind: "valid", records: 4 }],
    sources: [
      { sourceId: "crawl", delivered: 1 },
      { sourceId: "list", delivered: 1 },
    ],
    next: "list",
  });
  // All of it is one host's: never two calls at once.
  expect(server.maxConcurrent).toBe(1);
});
