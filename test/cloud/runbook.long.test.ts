import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import { queueNames } from "../../shared/names.ts";
import { type SftpServerForTests, serveSftp } from "../shared/deliver/upload/sftp-server.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator, type RunReport } from "./operator.ts";
import { deliverBySftp, setSftpLogin } from "./sftp-group.ts";

const root = join(import.meta.dirname, "../..");
const stateDir = stateFolder();
let site: DemoSite;
let receiver: SftpServerForTests;
let operator: Operator;
let host: string;

beforeAll(async () => {
  [site, receiver] = await Promise.all([startDemoSite(), serveSftp()]);
  host = new URL(site.origin).host;
  operator = new Operator(await testCloud(stateDir, { allowedPrivateHosts: [host] }));
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)]);
  await deliverBySftp(receiver);
  setSftpLogin(stateDir, { password: receiver.password });
});
afterAll(() => Promise.all([site.close(), receiver.close()]));

interface Article {
  outcome: string;
  recordId?: string;
  reason?: string;
}
const articlesOf = async (runId: string, outcome: string) =>
  (
    await operator.ask<{ articles: Article[] }>(
      "GET",
      `/runs/${runId}/articles?source=demo-journal&outcome=${outcome}&limit=500`,
    )
  ).body.articles;

describe("the runbook, walked", () => {
  let first: RunReport;

  it("run-now, by the API → a run that delivers", async () => {
    first = await operator.runNow();
    expect(first).toMatchObject({ state: "finished", totals: { entries: 12, delivered: 10 } });
    expect(receiver.files.size).toBe(1);
  });

  it("run-now, by a message → the same", async () => {
    const queue = operator.queueUrl(queueNames.runStarts);
    const scheduledTime = new Date(Date.now() + 60_000).toISOString();
    const MessageBody = JSON.stringify({ deliveryMode: "LIVE", scheduledTime });
    await operator.sqs("SendMessage", { QueueUrl: queue, MessageBody });
    const runId = `live-${scheduledTime.replaceAll(/[-:]|\.\d+/g, "")}`;
    expect(await operator.runEnds(`/runs/${runId}`)).toMatchObject({
      state: "finished",
      totals: { delivered: 0 },
    });
  });

  it("why-a-journal-failed → each dropped article has its reason", async () => {
    const { body } = await operator.ask<{ runs: { runId: string }[] }>("GET", "/sources/demo-journal/runs");
    expect(body.runs.map(({ runId }) => runId)).toContain(first.runId);
    const dropped = await articlesOf(first.runId, "unusable");
    expect(dropped.length).toBeGreaterThan(0);
    expect(dropped.filter(({ reason }) => reason === undefined)).toEqual([]);
  });

  it("deliver-again: a file → the receiver has it again; records → the next run delivers them", async () => {
    receiver.files.clear();
    const { body } = await operator.ask<{ deliveries: { deliveryId: string }[] }>("GET", "/deliveries");
    const file = `/deliveries/${encodeURIComponent(body.deliveries[0]?.deliveryId ?? "")}/resend`;
    expect((await operator.ask("POST", file)).status).toBe(202);
    await expect
      .poll(async () => (await operator.ask<{ status: string }>("GET", file)).body.status)
      .toBe("sent");
    expect(receiver.files.size).toBe(1);

    for (const { recordId } of await articlesOf(first.runId, "delivered")) {
      expect((await operator.ask("PUT", `/archive/${recordId}`, { state: "reset" })).status).toBeLessThan(
        300,
      );
    }
    expect(await operator.runNow()).toMatchObject({ state: "finished", totals: { delivered: 10 } });
  });

  it("pause-a-source → a run leaves it out, until it is resumed", async () => {
    expect((await operator.ask("PATCH", "/sources/demo-journal", { paused: true })).status).toBe(200);
    expect(await operator.runNow()).toMatchObject({ totals: { entries: 0 } });
    expect((await operator.ask("PATCH", "/sources/demo-journal", { paused: false })).status).toBe(200);
  });

  it("stop-everything → nothing is done; started again, it continues", async () => {
    await operator.switchEventSources(false);
    const { body } = await operator.ask<{ result: string }>("POST", "/runs", { mode: "LIVE" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await operator.ask<RunReport>("GET", body.result)).body.state).toBe("starting");
    await operator.switchEventSources(true);
    expect(await operator.runEnds(body.result)).toMatchObject({ state: "finished", totals: { entries: 12 } });
  });

  it("rotate-an-sftp-key → the next upload logs in with the new secret", async () => {
    receiver.password = "no longer the old one";
    setSftpLogin(stateDir, { privateKey: receiver.privateKey });
    for (const { recordId } of await articlesOf(first.runId, "delivered")) {
      await operator.ask("PUT", `/archive/${recordId}`, { state: "reset" });
    }
    receiver.files.clear();
    expect(await operator.runNow()).toMatchObject({ state: "finished", totals: { delivered: 10 } });
    expect(receiver.files.size).toBe(1);
  });

  it("hold-a-collection → suppressed until it is released", async () => {
    const collection = "/collections/demo-journal";
    await operator.ask("PUT", collection, { title: "Lantern & Lathe" });
    expect((await operator.ask("POST", `${collection}/hold`, { reason: "moves" })).status).toBe(200);
    expect((await operator.ask("GET", collection)).body).toMatchObject({ status: "suppressed" });
    expect((await operator.ask("POST", `${collection}/release`, { reason: "has moved" })).status).toBe(200);
    expect((await operator.ask("GET", collection)).body).toMatchObject({ status: "active" });
  });

  it("pause-a-host → its requests wait, and no function overwrites that; resumed, they go on", async () => {
    const pause = `/hosts/${host}/pause`;
    expect((await operator.ask("PUT", pause, { reason: "asked to" })).status).toBe(204);
    const { body } = await operator.ask<{ result: string }>("POST", "/runs", { mode: "LIVE" });
    await expect
      .poll(async () => (await operator.ask<RunReport>("GET", body.result)).body?.state)
      .toBe("harvesting");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await operator.ask("GET", `/hosts/${host}`)).body).toMatchObject({
      paused: { reason: "asked to" },
    });
    expect((await operator.ask<RunReport>("GET", body.result)).body.state).toBe("harvesting");
    expect((await operator.ask("DELETE", pause)).status).toBe(204);
  });
});

it("each entry of the runbook is walked by a test whose title names it", () => {
  const runbook = readFileSync(join(root, "docs/runbook.md"), "utf8");
  const entries = [...runbook.matchAll(/^## ([\w-]+)$/gm)].map(([, entry = ""]) => entry);
  expect(entries.length).toBeGreaterThan(25);
  const titles = globSync("test/cloud/**/*.test.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^ *it\(["`](.*)["`]/gm)].map(
      ([, title = ""]) => title,
    ),
  );
  const isWalked = (entry: string) =>
    titles.some((title) => new RegExp(`(^|, and )${entry}\\b(?!-)`).test(title));
  expect(entries.filter((entry) => !isWalked(entry))).toEqual([]);
});
