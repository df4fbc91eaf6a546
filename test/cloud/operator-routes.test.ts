import { setTimeout } from "node:timers/promises";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import { fileHoldId, fileHoldsOf } from "../../shared/harvest/oai-state/held-deletions.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

let site: DemoSite;
let cloud: LocalCloud;
beforeAll(async () => {
  site = await startDemoSite();
  cloud = await testCloud(stateFolder(), { allowedPrivateHosts: [new URL(site.origin).host] });
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)]);
});
afterAll(() => site.close());

const sourceId = "demo-journal";

const ask = (method: string, path: string, body?: object) =>
  new Operator(cloud).ask<ReturnType<typeof JSON.parse>>(method, path, body);

describe("an operator's run on the local cloud", () => {
  it("started now → delivers, and says what became of the source and of each article", async () => {
    const { followRun } = await import("../../local/start/follow-run.ts");
    const { runStore } = await import("../../shared/adapters/records/run-store.ts");
    const started = await ask("POST", "/runs", { mode: "LIVE", sourceIds: [sourceId] });
    expect(started.status).toBe(202);
    expect((await ask("GET", started.body.result)).status).toBe(200);
    const { signal } = new AbortController();
    const { run, totals } = await followRun(started.body.runId, runStore(), { print: () => {}, signal });
    expect(run.state).toBe("finished");
    const { body } = await ask("GET", `/sources/${sourceId}/runs`);
    const { delivered } = totals;
    expect(body.runs).toMatchObject([{ runId: run.runId, state: "read", entries: 12, delivered }]);
    const articles = await ask("GET", `${started.body.result}/articles?source=${sourceId}`);
    const outcomes = articles.body.articles.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toHaveLength(12);
    expect(outcomes.filter((outcome: string) => outcome === "delivered")).toHaveLength(delivered);
  });

  it("its report → among the sent mails, as it was sent; a login in an address is left out", async () => {
    const { sentMails } = await import("../../shared/adapters/aws/sent-mails.ts");
    const mail = { id: "m", to: [], subject: "S", text: "see https://u:secret@h.example/", html: "<p>T</p>" };
    await sentMails({ areSent: true }).keep(mail);
    await sentMails({ areSent: true }).markSent(mail, ["b@x.example"], new Date("2026-01-01T00:00:00Z"));
    await sentMails({ areSent: true }).markSent(mail, ["a@x.example"], new Date("2026-01-02T00:00:00Z"));
    const first = await ask("GET", "/mails?limit=1");
    expect(first.body.mails).toMatchObject([{ subject: expect.stringMatching(/Ingather/i) }]);
    const report = await ask("GET", `/mails/${encodeURIComponent(first.body.mails[0].mailId)}`);
    expect(report.body).toMatchObject({ ...first.body.mails[0], text: expect.stringMatching(/delivered/i) });
    const rest = await ask("GET", `/mails?after=${encodeURIComponent(first.body.next)}`);
    const expected = {
      ...{ mailId: "m", subject: "S", sentAt: "2026-01-01T00:00:00.000Z", isSent: true },
      to: ["a@x.example", "b@x.example"],
    };
    expect(rest.body).toEqual({ mails: [expected] });
    const { body } = await ask("GET", "/mails/m");
    expect(body).toEqual({ ...expected, text: expect.not.stringMatching(/secret/), html: "<p>T</p>" });
    expect((await ask("GET", "/mails/none")).status).toBe(404);
    expect((await ask("GET", "/mails?after=x")).status).toBe(400);
  });

  it("a held collection, a dead letter, a host that is unavailable → they need a person today", async () => {
    const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
    const { sqs } = await import("../../shared/adapters/aws/sqs-sdk.ts");
    const { newHost } = await import("../../shared/web/gate/host-state.ts");
    const { deadLetterQueueName, queueNames } = await import("../../shared/names.ts");
    const url = process.env.VALIDATE_QUEUE_URL?.replace(
      queueNames.validate,
      deadLetterQueueName(queueNames.validate),
    );
    await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: "{}" }));
    const untilMs = Date.now() + 60_000;
    const host = {
      ...newHost("gone.example"),
      unavailable: { "gone.example": { untilMs, reason: "timeouts" } },
    };
    await hostStore().save(host);
    expect((await ask("PUT", "/collections/bees", { title: "Bees" })).status).toBe(200);
    expect((await ask("POST", "/collections/bees/hold", { reason: "the publisher moves" })).status).toBe(200);
    const { body } = await ask("GET", "/today");
    expect(body.needs).toEqual([
      { type: "dead-letters", queue: queueNames.validate, messages: 1 },
      { type: "collection-suppressed", collectionId: "bees", by: "hold" },
      {
        ...{ type: "host-unavailable", hostKey: "gone.example", what: "gone.example" },
        ...{ until: new Date(untilMs).toISOString(), reason: "timeouts" },
      },
    ]);
    expect(body.runs).toMatchObject([{ state: "finished", figures: { listed: 12 } }]);
    await ask("POST", "/collections/bees/release", { reason: "the publisher moves" });
    const after = await ask("GET", "/today");
    expect(after.body.needs.map(({ type }: { type: string }) => type)).toEqual([
      "dead-letters",
      "host-unavailable",
    ]);
  });

  it("a host paused → shown, kept by what the gate writes, and resumed", async () => {
    const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
    expect((await ask("PUT", "/hosts/Slow.Example/pause", { reason: "asked to" })).status).toBe(204);
    const paused = { since: expect.any(String), by: "operator@localhost", reason: "asked to" };
    const host = await hostStore().load("slow.example");
    expect(host).toMatchObject({ version: 0, pause: paused });
    const listed = async () =>
      (await ask("GET", "/today")).body.needs.filter(({ type }: { type: string }) => type === "host-paused");
    expect(await listed()).toEqual([{ type: "host-paused", hostKey: "slow.example", ...paused }]);
    expect(await hostStore().save({ ...host, failures: 1 })).toBe(true);
    expect((await ask("GET", "/hosts/slow.example")).body).toMatchObject({ failures: 1, paused });
    await ask("DELETE", "/hosts/slow.example/pause");
    expect(await listed()).toEqual([]);
    expect((await ask("GET", "/hosts/slow.example")).body).not.toHaveProperty("paused");
    expect((await hostStore().load("slow.example")).failures).toBe(1);
  });

  it("deletions held → on Today until an operator decides", async () => {
    const { oaiHarvestStore } = await import("../../shared/harvest/stores/oai-harvest-store.ts");
    const since = "2026-11-20T19:00:00.000Z";
    const heldDeletions = { harvestId: "h", mark: "h", since, documents: 248, of: 250, examples: ["a"] };
    const revision = (await oaiHarvestStore().get(sourceId))?.revision ?? 0;
    expect(await oaiHarvestStore().save({ sourceId, revision: revision + 1, heldDeletions })).toBe(true);
    const listed = async () =>
      (await ask("GET", "/today")).body.needs.filter(
        ({ type }: { type: string }) => type === "deletions-held",
      );
    expect(await listed()).toEqual([{ type: "deletions-held", sourceId, since, documents: 248, of: 250 }]);
    const decision = { harvestId: "h", decision: "drop" };
    expect((await ask("POST", `/sources/${sourceId}/harvest/deletions`, decision)).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it("deletions of files held → settled again until their event is published, then on Today", async () => {
    const { oaiHarvestStore } = await import("../../shared/harvest/stores/oai-harvest-store.ts");
    const { missingFiles } = await import("../../shared/harvest/stores/undecided-sources.ts");
    const since = "2026-11-20T19:00:00.000Z";
    const held = { documents: 25, of: 250, areFiles: true as const };
    const heldDeletions = { ...held, harvestId: fileHoldId(since), mark: since, since, examples: ["a"] };
    const state = { sourceId: fileHoldsOf(sourceId), missingSince: since };
    const listed = async () => [
      (await missingFiles()("2026-11-21T19:00:00.000Z", 100)).includes(sourceId),
      (await ask("GET", "/today")).body.needs.filter(
        ({ type }: { type: string }) => type === "deletions-held",
      ),
    ];
    const unpublished = { ...heldDeletions, isUnpublished: true as const };
    await oaiHarvestStore().save({ ...state, revision: 1, heldDeletions: unpublished });
    expect(await listed()).toEqual([true, []]);
    await oaiHarvestStore().save({ ...state, revision: 2, heldDeletions });
    expect(await listed()).toEqual([false, [{ type: "deletions-held", sourceId, since, ...held }]]);
    const decision = { harvestId: heldDeletions.harvestId, decision: "release" };
    expect((await ask("POST", `/sources/${sourceId}/harvest/deletions`, decision)).status).toBe(200);
    expect(await listed()).toEqual([true, []]);
  });

  it("an import, and its rollback → versions, and the configuration as before", async () => {
    const before = await ask("GET", "/sources");
    const imported = await ask("POST", "/config/import", { conf: configuration(journal) });
    expect(imported.body).toMatchObject({ type: "imported", version: 1 });
    const dry = await ask("POST", "/config/versions/1/rollback?dryRun=true");
    expect(dry.body).toMatchObject({ changeCount: 4, keptCount: 0 });
    const done = await ask("POST", "/config/versions/1/rollback");
    expect(done.body).toMatchObject({ version: 2, changeCount: 4 });
    expect((await ask("GET", "/sources")).body).toEqual(before.body);
    const { body } = await ask("GET", "/config/versions");
    expect(body.versions).toMatchObject([
      { version: 2, removed: 4 },
      { version: 1, added: 4 },
    ]);
    expect((await ask("POST", "/config/versions/1/rollback")).status).toBe(409);
  });

  it("a feed that is checked as a repository → what it is instead, and no source", async () => {
    const asked = await ask("POST", "/repository-checks", { url: site.feedUrl });
    expect(asked.status).toBe(202);
    const { body } = await finished(asked.body.result);
    expect(body).toMatchObject({ complete: false, requests: 4 });
    expect(body).not.toHaveProperty("proposal");
    expect(body.findings).toMatchObject(
      [{ id: "namespace-wrong", severity: "error" }, { id: "page-repeated" }, { id: "plain-http" }].slice(
        0,
        body.findings.length,
      ),
    );
  });

  it("a recipe → tried on an address and on the text of a page, stored, and taken back", async () => {
    const toml = 'name = "Demo"\nhosts = ["127.0.0.1.example"]\n[fields]\ntitle = { css = "h1" }\n';
    for (const page of [{ url: `${site.origin}/` }, { html: "<h1>On Bees</h1>" }]) {
      const asked = await ask("POST", "/recipes/try", { toml, ...page });
      expect(asked.status).toBe(202);
      const { body } = await finished(asked.body.result);
      expect(body).toMatchObject({ toml, isForPage: false, fields: [{ field: "title", from: "css h1" }] });
    }
    expect((await ask("PUT", "/recipes/demo", { toml })).status).toBe(200);
    const { recipeStore } = await import("../../shared/harvest/stores/recipe-store.ts");
    expect(await recipeStore().list()).toMatchObject([{ id: "demo", recipe: { name: "Demo" } }]);
    expect((await ask("DELETE", "/recipes/demo")).status).toBe(204);
    expect(await recipeStore().list()).toEqual([]);
  });

  it("a journal's home page pasted → its feed found, saved, previewed, switched on", async () => {
    const asked = await ask("POST", "/detections", { url: `${site.origin}/` });
    expect(asked.status).toBe(202);
    const detected = await finished(asked.body.result);
    expect(detected.body.outcome).toMatchObject({ type: "found", kind: "page-with-list" });
    const proposed = detected.body.outcome.source;
    expect(proposed).toMatchObject({ type: "RSS", groupId: "Ingather", deliveryMode: "NONE" });
    expect((await ask("POST", "/sources", proposed)).status).toBe(201);
    const preview = await ask("POST", `/sources/${proposed.sourceId}/preview?items=2`);
    const { records } = (await finished(preview.body.result)).body;
    expect(records).toMatchObject([{ record: { fields: expect.any(Array) } }]);
    const on = await ask("PATCH", `/sources/${proposed.sourceId}`, { deliveryMode: "TEST" });
    expect(on.body).toMatchObject({ deliveryMode: "TEST" });
    const paused = await ask("PATCH", `/sources/${proposed.sourceId}`, { paused: true });
    expect(paused.body).toMatchObject({ paused: true });
    const { sourceStore } = await import("../../shared/adapters/records/source-store.ts");
    expect((await sourceStore().sourcesByMode("TEST")).sources).toEqual([]);
    await ask("PATCH", `/sources/${proposed.sourceId}`, { paused: null });
    expect((await sourceStore().sourcesByMode("TEST")).sources).toMatchObject([{ paused: false }]);
    expect((await ask("DELETE", `/sources/${proposed.sourceId}`)).status).toBe(204);
  });
});

/** The answer when the work behind it has ended. */
async function finished(path: string) {
  for (;;) {
    const answer = await ask("GET", path);
    if (answer.status !== 202) return answer;
    await setTimeout(50);
  }
}
