import type { CheckRun } from "../../../shared/check-set/check-run.ts";
import { parseCheckedSet } from "../../../shared/check-set/checked-set.ts";
import { countBegin } from "../../../shared/check-set/count-set.ts";
import type { RefusedRecord } from "../../../shared/deliver/refused/refused-record.ts";
import { newSourceReport } from "../../../shared/deliver/report/source-report.ts";
import { type SourceRun, sourceRunOf } from "../../../shared/deliver/report/source-runs.ts";
import type { ValidationRule } from "../../../shared/deliver/validation/rule.ts";
import type { Item } from "../../../shared/harvest/items/item.ts";
import { beginCheckup } from "../../../shared/harvest/repository-check/checkup.ts";
import type { Upload } from "../../../shared/harvest/uploads/upload.ts";
import { defaultCollection } from "../../../shared/links/status/collection.ts";
import { restoredStatus } from "../../../shared/links/status/link-status.ts";
import type { Sweep } from "../../../shared/links/status/stored-sweep.ts";
import type { ArchiveClaim } from "../../../shared/records/archive/archive-entry.ts";
import type { Document } from "../../../shared/records/documents/document.ts";
import type { StoredRecord } from "../../../shared/records/documents/stored-record.ts";
import type { FailedMessage } from "../../../shared/records/messages/failed-message.ts";
import type { Run } from "../../../shared/records/runs/run.ts";
import type { ImportJob } from "../../../shared/records/sources/conf/import-job.ts";
import type { ConfigurationItem } from "../../../shared/records/sources/configuration.ts";
import type { HarvestDefinition } from "../../../shared/snapshots/definitions/definition.ts";
import type { HarvestJob } from "../../../shared/snapshots/definitions/job.ts";
import { urlIdOf } from "../../../shared/snapshots/jobs/captured-urls.ts";
import { newHost } from "../../../shared/web/gate/host-state.ts";
import { outboundRequest } from "../../../shared/web/request/request.ts";
import { sourceOutcome } from "../../shared/records/runs/source-outcome.ts";
import { time } from "../stores/world.ts";
import type { AllStores } from "./stores.ts";

/** Writes with a store, and what its caller learns of it. The id is the case's own. */
type Case = (stores: AllStores, id: string) => Promise<unknown>;

const now = new Date(time(1));
const nowMs = now.getTime();

const run = (runId: string): Run => ({
  runId,
  deliveryMode: "LIVE",
  state: "starting",
  startedAt: time(1),
  deadlineAt: time(2),
});

const outcome = (sourceId: string) => sourceOutcome({ sourceId, title: "T", entries: 1, requested: 1 });

const sourceRun = (sourceId: string, delivered: number): SourceRun =>
  sourceRunOf(run("r"), { ...newSourceReport(outcome(sourceId)), delivered });

const failedMessage = (id: string): FailedMessage => ({
  id,
  messageId: id,
  queue: "q",
  reason: "why",
  receives: 5,
  failedAt: time(1),
  subject: { sourceId: "s" },
  body: "{}",
});

const importJob = (importId: string): ImportJob => ({
  importId,
  state: "waiting",
  by: "anna",
  requestedAt: time(1),
  allowRemovals: false,
  isStrict: false,
  total: 2,
  applied: 0,
});
const quality = (sourceId: string, records: number) => ({
  ...{ sourceId, runId: "r", startedAt: time(1), records, fields: {} },
});
const resend = (resendId: string) => ({
  resendId,
  by: "anna",
  requestedAt: time(3),
  state: "waiting" as const,
});

const dropped = (requestId: string) => ({
  state: "dropped" as const,
  requestId,
  sourceId: "s",
  url: "https://s.example/",
  title: "T",
  reason: "no title",
});

const claim = (owner: string, more: Partial<ArchiveClaim> = {}): ArchiveClaim => ({
  owner,
  entryKey: `record:${owner}`,
  state: "claimed",
  ...more,
});

const entry = (id: string) => ({
  ...claim(id, { state: "automatic" }),
  entryKey: id,
  keys: [id],
  recordId: id,
  sourceId: "s",
  title: "T",
  hash: "h",
  urls: [],
  recordKey: "k",
  at: time(1),
});

const refused = (recordId: string): RefusedRecord => ({
  deliveryMode: "LIVE",
  document: {
    state: "converted",
    requestId: "r",
    recordId,
    sourceId: "s",
    groupId: "G",
    url: "https://s.example/1",
    title: "T",
    hash: "h",
    urls: [],
    recordKey: "k",
    archiveKeys: [],
    warnings: [],
  },
  findings: [{ record: recordId, ruleId: "contents-mismatch", tag: "245", reason: "wrong" }],
  findingCount: 1,
  refusedAt: time(1),
});

const record = (recordId: string, runId = "first"): StoredRecord => ({
  recordId,
  sourceId: "s",
  groupId: "G",
  collectionId: `c-${recordId}`,
  runId,
  deliveryMode: "LIVE",
  title: "T",
  landingUrl: "https://s.example/1",
  syndicatedAt: time(1),
  hash: "h",
  recordKey: "k",
  state: "harvested",
  updatedAt: time(1),
});

/** A check after so many pages, each of two records of which one counts. */
const setCheck = (checkId: string, pages: number, shareKey = checkId): CheckRun => ({
  checkId,
  shareKey,
  set: parseCheckedSet("https://a.example/oai?verb=ListRecords&set=maps"),
  startedAt: time(1),
  updatedAt: time(1),
  counted: { ...countBegin, count: pages, list: { ...countBegin.list, pages, records: 2 * pages } },
});

const checkOf = (checkId: string, requests: number) => ({
  checkId,
  groupId: "G",
  userAgent: "test",
  requestedAt: time(1),
  checkup: {
    ...beginCheckup({ baseUrl: "https://s.example/oai", metadataPrefix: "oai_dc", pages: 1 }),
    requests,
  },
});

const listed = (documentId: string): Document => ({
  sourceId: "s",
  documentId,
  identifier: ["oai:x:1"],
  state: "present",
  title: "T",
  versions: [{ version: 1, type: "new", at: time(1), hash: "h" }],
  firstListedAt: time(1),
  changedAt: time(1),
  outbox: [],
  revision: 1,
});

const keyed = (key: string) => ({ key, fingerprint: "f", startedAt: time(1) });

const item = (documentId: string): Item => ({
  sourceId: "s",
  documentId,
  itemId: "i",
  url: "https://s.example/1.pdf",
  state: "present",
  documentVersion: 1,
  versions: [{ version: 1, type: "new", at: time(1) }],
  outbox: [],
  revision: 1,
});

const upload = (uploadId: string): Upload => ({
  uploadId,
  sourceId: "s",
  content: "zip",
  state: "waiting",
  files: [],
  createdAt: time(1),
});

const source = (id: string, title: string): ConfigurationItem => ({ kind: "source", id, value: { title } });

const rule = (id: string): ValidationRule => ({
  source: id,
  recordType: "regular",
  tag: "245",
  subfield: "a",
  presence: "always",
  regex: null,
});

const sweep = (sweepId: string): Sweep => ({
  sweepId,
  collectionId: "c",
  requestedAt: time(1),
  attempt: 0,
  samples: [],
  results: {},
});

const request = (id: string) => ({
  id,
  kind: "link" as const,
  url: `https://${id}.example/`,
  obeyRobots: false,
});

const response = (id: string) => ({
  request: outboundRequest.parse(request(id)),
  outcome: { type: "failed" as const, reason: "reset", detail: "", attempts: 1 },
});

const listing = (sourceId: string) => ({
  outcome: outcome(sourceId),
  articleRequests: [request(sourceId)],
  listingRequests: [],
});

async function* piecesOf(sizeMiB: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < sizeMiB; number += 1) yield new Uint8Array(1024 * 1024).fill(number);
}

const version = (number: number) => ({
  version: number,
  importedAt: time(1),
  added: 1,
  changed: 0,
  removed: 0,
});

const definition = (id: string): HarvestDefinition => ({
  id,
  title: "T",
  type: "snapshot",
  seeds: ["https://s.example/"],
  limits: { maxObjects: 2, maxBytes: 1000, maxObjectBytes: 1000, maxDepth: 1, maxMinutes: 10 },
  deduplicate: true,
  deduplicateText: false,
  minimumShare: 0.7,
  isActive: false,
  createdAt: now,
  generation: 0,
  jobIds: [],
  history: [],
});

/** A number that is the case's own, and has that of its world at its end. */
const jobIdOf = (id: string, ofCase: number) => ofCase * 1_000_000_000 + (id.startsWith("calm") ? 41 : 42);

const captureJob = (id: string, ofCase: number): HarvestJob => ({
  id: jobIdOf(id, ofCase),
  definitionId: id,
  state: "new",
  seeds: [],
  createdAt: now,
  hasCrawlLog: false,
  objects: 0,
  bytes: 0,
  files: [],
});

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** By file and method of the store. */
const held = { since: "2026-11-20T08:00:00.000Z", by: "anna", reason: "moves" };

export const cases: Record<string, Case> = {
  "check-store start": async ({ "check-store": store }, id) => [
    await store.start(setCheck(id, 0), undefined),
    await store.start(setCheck(`${id}-2`, 0, id), undefined),
    await store.start(setCheck(`${id}-2`, 0, id), setCheck(id, 0)),
    (await store.latest(id))?.counted,
  ],
  "check-store advance": async ({ "check-store": store }, id) => {
    await store.start(setCheck(id, 0), undefined);
    return [
      await store.advance(setCheck(id, 1), 0),
      await store.advance(setCheck(id, 2), 0),
      (await store.get(id))?.counted,
    ];
  },
  "check-store countCheck": async ({ "check-store": store }, id) => [
    await store.countCheck({ caller: id, hour: "2026-11-22T20", most: 2 }),
    await store.countCheck({ caller: id, hour: "2026-11-22T20", most: 2 }),
    await store.countCheck({ caller: id, hour: "2026-11-22T20", most: 2 }),
  ],
  "configuration-store put": ({ "configuration-store": store }, id) => store.put(source(id, "T")),
  "configuration-store discard": async ({ "configuration-store": store }, id) => {
    await store.put(source(id, "T"));
    await store.discard(source(id, "T"));
    return store.item(source(id, ""));
  },
  "configuration-store add": async ({ "configuration-store": store }, id) => [
    await store.add(source(id, "T")),
    await store.add(source(id, "U")),
    await store.item(source(id, "")),
  ],
  "configuration-store remove": async ({ "configuration-store": store }, id) => {
    await store.add(source(id, "T"));
    const isRemoved = await store.remove(source(id, "T"));
    const removed = await store.remove({ ...source(id, "T"), revision: 1 });
    return [isRemoved, removed, await store.item(source(id, ""))];
  },
  "configuration-store replace": async ({ "configuration-store": store }, id) => {
    await store.put(source(id, "T"));
    const before = source(id, "T");
    const isReplaced = await store.replace(source(id, "U"), before);
    return [isReplaced, await store.replace(source(id, "V"), before), await store.item(before)];
  },
  "configuration-store setFields": async ({ "configuration-store": store }, id) => {
    await store.put({ ...source(id, "T"), revision: 1 });
    return [await store.setFields(source(id, ""), { title: "U" }), await store.item(source(id, ""))];
  },
  "configuration-store noteAnnounced": async ({ "configuration-store": store }, id) => {
    await store.add({ ...source(id, "T"), createdAt: "2026-11-20T08:00:00Z", isUnannounced: true });
    const item = await store.item(source(id, ""));
    if (item === undefined) return undefined;
    const isOther = await store.noteAnnounced({ ...item, createdAt: "2026-11-20T09:00:00Z" });
    return [isOther, await store.noteAnnounced(item), await store.item(item)];
  },
  "configuration-store deletions": async ({ "configuration-store": { deletions } }, id) => {
    const first = { sourceId: id, documents: "keep" as const, deletedAt: "2026-11-20T08:00:00Z" };
    const second = { ...first, deletedAt: "2026-11-20T09:00:00Z" };
    const begun = [
      await deletions.begin(first, undefined),
      await deletions.begin(second, undefined),
      await deletions.begin(second, first),
    ];
    await deletions.end(first);
    const kept = await deletions.get(id);
    await deletions.end(second);
    return [begun, kept?.deletedAt, await deletions.get(id)];
  },
  "configuration-store claimVersion": async ({ "configuration-store": store }, id) => {
    const number = id.startsWith("calm") ? 41 : 42;
    return [await store.claimVersion(version(number)), await store.claimVersion(version(number))];
  },
  "configuration-store apply": async ({ "configuration-store": store }, id) => {
    const item = source(id, "T");
    const applied = [await store.apply({ type: "added", item }, 1)];
    for (const title of ["U", "V"]) {
      const before = (await store.item(item)) ?? item;
      const changed = { ...before, value: { title } };
      applied.push(await store.apply({ type: "changed", item: changed, before, fields: ["title"] }, 2));
    }
    const last = (await store.item(item)) ?? item;
    applied.push(await store.apply({ type: "removed", item: { ...last, revision: 1 } }, 3));
    applied.push(await store.apply({ type: "removed", item: last }, 3));
    return [applied, last, await store.item(item)];
  },
  "import-job-store create": async ({ "import-job-store": store }, id) => {
    await store.create(importJob(id), { ini: id, files: {} });
    return [await store.get(id), await store.input(id)];
  },
  "import-job-store update": async ({ "import-job-store": store }, id) => {
    await store.create(importJob(id), { ini: id, files: {} });
    await store.update(id, { state: "running", applied: 1 });
    await store.update(id, { state: "done", applied: 2 });
    await store.update(id, { state: "running", applied: 3 });
    return [await store.get(id)];
  },
  "validation-rule-store put": ({ "validation-rule-store": store }, id) => store.put(rule(id)),
  "validation-rule-store add": async ({ "validation-rule-store": store }, id) => [
    await store.add(rule(id)),
    await store.add({ ...rule(id), regex: "^A" }),
    await store.get(rule(id)),
  ],
  "validation-rule-store change": async ({ "validation-rule-store": store }, id) => {
    await store.put(rule(id));
    const changed = { ...rule(id), regex: "^A" };
    return [
      await store.change(rule(id), changed),
      await store.change(rule(id), undefined),
      await store.change(changed, undefined),
    ];
  },
  "validation-rule-store remove": async ({ "validation-rule-store": store }, id) => {
    await store.put(rule(id));
    return [await store.remove(rule(id)), await store.page({ source: id, limit: 9 })];
  },
  "recipe-store put": ({ "recipe-store": store }, id) => store.put({ id, toml: "a" }),
  "recipe-store add": async ({ "recipe-store": store }, id) => [
    await store.add({ id, toml: "a" }),
    await store.add({ id, toml: "b" }),
    await store.get(id),
  ],
  "recipe-store change": async ({ "recipe-store": store }, id) => {
    await store.put({ id, toml: "a" });
    return [
      await store.change({ id, toml: "a" }, { id, toml: "b" }),
      await store.change({ id, toml: "a" }, undefined),
      await store.change({ id, toml: "b" }, undefined),
    ];
  },
  "recipe-store remove": async ({ "recipe-store": store }, id) => {
    await store.put({ id, toml: "a" });
    return [await store.remove(id), await store.get(id)];
  },
  "archive-store claim": async ({ "archive-store": store }, id) => {
    const claimAll = (owner: string, keys: string[]) =>
      Promise.all(keys.map((key) => store.claim(key, claim(owner), now)));
    const keys = Array.from({ length: 30 }, (_, index) => `${id}-${index}`);
    return [
      await claimAll(id, [...keys, `${id}-0`]),
      await claimAll(`${id}-2`, [`${id}-2`, `${id}-29`, `${id}-30`]),
    ];
  },
  "archive-store releaseClaim": async ({ "archive-store": store }, id) => {
    await store.claim(id, claim(id), now);
    await store.releaseClaim(id, id);
    return store.claim(id, claim(`${id}-2`), now);
  },
  "archive-store saveEntry": async ({ "archive-store": store }, id) => {
    await store.claim(id, claim(id, { entryKey: id }), now);
    await store.saveEntry(entry(id));
    return store.entry(id);
  },
  "archive-store setState": async ({ "archive-store": store }, id) => {
    await store.claim(id, claim(id), now);
    await store.setState(id, id, "ignore");
    return store.claim(id, claim(`${id}-2`), now);
  },
  "refused-store save": async ({ "refused-store": store }, id) => {
    await store.save(refused(id));
    return store.findings(refused(id));
  },
  "refused-store updateFindings": async ({ "refused-store": store }, id) => {
    await store.save(refused(id));
    return [
      await store.updateFindings({ ...refused(id), findingCount: 2 }),
      await store.get("LIVE", "s", id),
    ];
  },
  "refused-store release": async ({ "refused-store": store }, id) => {
    await store.save(refused(id));
    const released = await store.release(refused(id), { at: time(2), by: "operator" });
    return [released, await store.get("LIVE", "s", id)];
  },
  "refused-store note": async ({ "refused-store": store }, id) => {
    const note = { text: "wait", by: "anna", at: time(2) };
    const before = await store.note(refused(id), note);
    await store.save(refused(id));
    return [before, await store.note(refused(id), note), await store.get("LIVE", "s", id)];
  },
  "refused-store remove": async ({ "refused-store": store }, id) => {
    await store.save(refused(id));
    await store.remove(refused(id), { upTo: time(1), includesReleased: false });
    return store.get("LIVE", "s", id);
  },
  "delivery-store claimFileName": ({ "delivery-store": store }, id) =>
    store.claimFileName(id, (number) => `${id}-${number}`),
  "delivery-store writeFile": ({ "delivery-store": store }, id) =>
    store.writeFile(`${id}.xml`, piecesOf(17), "application/xml"),
  "delivery-store saveTransfer": async ({ "delivery-store": store }, id) => {
    const location = { host: "h", port: 22, folder: "f" };
    await store.saveTransfer(id, { location, temporaryPath: "t" });
    return store.transfer(id);
  },
  "delivery-store save": async ({ "delivery-store": store }, id) => {
    const name = { groupId: "G", fileName: id, key: `G/${id}`, runId: id, runStartedAt: time(1) };
    return store.save({ ...name, deliveryMode: "LIVE", records: 1, sizeBytes: 1, deliveredAt: time(1) });
  },
  "resend-store start": async ({ "resend-store": store }, id) => [
    await store.start(id, resend("first"), time(1)),
    await store.start(id, resend("second"), time(1)),
    await store.start(id, resend("third"), time(5)),
    await store.get(id),
  ],
  "resend-store finish": async ({ "resend-store": store }, id) => {
    await store.start(id, resend("first"), time(1));
    await store.finish(id, "other", { state: "sent", endedAt: time(4) });
    await store.finish(id, "first", { state: "failed", endedAt: time(4), reason: "refused" });
    await store.finish(id, "first", { state: "sent", endedAt: time(5) });
    return [await store.get(id), await store.start(id, resend("next"), time(1))];
  },
  "quality-store save": async ({ "quality-store": store }, id) => {
    for (const records of [1, 2]) await store.save(quality(id, records));
    return store.latest(id, { limit: 9 });
  },
  "quality-store saveDrifts": async ({ "quality-store": store }, id) => {
    const drifts = { sourceId: id, title: "T", judged: time(1), drifts: [] };
    const saved = [];
    for (const revision of [1, 1, 2]) saved.push(await store.saveDrifts({ ...drifts, revision }));
    return [saved, await store.drifts(id)];
  },
  "quality-store forget": async ({ "quality-store": store }, id) => {
    await store.save(quality(id, 1));
    for (const _ of [1, 2]) await store.forget(id);
    return store.latest(id, { limit: 9 });
  },
  "source-run-store save": async ({ "source-run-store": store }, id) => {
    for (const delivered of [1, 2]) await store.save(sourceRun(id, delivered));
    return store.latest(id, { limit: 9 });
  },
  "source-status-store markAdded": async ({ "source-status-store": store }, id) => {
    for (const day of [1, 2]) await store.markAdded(id, time(day));
    return [...(await store.statuses([id]))];
  },
  "source-status-store markDelivered": async ({ "source-status-store": store }, id) => {
    for (const day of [1, 3, 2]) await store.markDelivered(id, time(day));
    return [...(await store.statuses([id]))];
  },
  "source-status-store addRun": async ({ "source-status-store": store }, id) => {
    for (const [day, delivered] of [
      [1, 1],
      [3, 3],
      [2, 2],
      [3, 4],
    ] as const) {
      await store.addRun(id, { runId: `r${day}`, startedAt: time(day), state: "read", delivered });
    }
    return [...(await store.recentRuns([id]))];
  },
  "body-store store": ({ "body-store": store }, id) => store.store(id, new Uint8Array(9), undefined),
  "body-store stream": ({ "body-store": store }, id) => store.stream(id, piecesOf(9), undefined),
  "host-pauses set": async ({ "host-pauses": store, "host-store": hosts }, id) => {
    await store.set(`${id}.example`, { since: time(1), by: "anna", reason: "asked" });
    await hosts.save(newHost(`${id}.example`));
    return hosts.load(`${id}.example`);
  },
  "host-pauses clear": async ({ "host-pauses": store, "host-store": hosts }, id) => {
    await store.set(`${id}.example`, { since: time(1), by: "anna", reason: "asked" });
    await store.clear(`${id}.example`);
    return hosts.load(`${id}.example`);
  },
  "host-shares take": async ({ "host-shares": store }, id) => {
    const take = () => store.take(id, now, 2);
    return [await take(), await take(), await take()];
  },
  "host-shares markAdmitted": async ({ "host-shares": store }, id) => {
    await store.markAdmitted(id, nowMs);
    return store.admittedAtMs(id);
  },
  "host-store save": async ({ "host-store": store }, id) => {
    const host = newHost(`${id}.example`);
    const saved = [await store.save(host), await store.save({ ...host, version: 1 }), await store.save(host)];
    return [saved, await store.load(host.hostKey)];
  },
  "network-store change": async ({ "network-store": store }, id) => {
    for (const state of ["down", "up"] as const)
      await store.change({ state, since: `${id} ${state}`, why: id, isNotified: false });
    return store.get();
  },
  "network-store markNotified": async ({ "network-store": store }, id) => {
    await store.change({ state: "down", since: id, why: "", isNotified: false });
    await store.markNotified(id);
    const state = await store.get();
    await store.change({ state: "up", since: id, why: "", isNotified: false });
    return state;
  },
  "robots-store store": async ({ "robots-store": store }, id) =>
    store.load(await store.store(`https://${id}.example`, "User-agent: *")),
  "statistics-store add": async ({ "statistics-store": store }, id) => {
    for (const requests of [1, 2]) await store.add(`${id}.example`, "2026-11-01", { requests, bytes: 10 });
  },
  "validator-store remember": async ({ "validator-store": store }, id) => {
    await store.remember(id, { etag: "e", bodyKey: "k", fetchedAt: time(1) });
    return store.recall(id);
  },
  "lookup-store store": async ({ "lookup-store": store }, id) => {
    await store.store(id, { type: "identified", number: "1" }, new Date("2099-01-01"));
    await store.store(id, { type: "unknown" }, new Date("2099-01-01"));
    return [...(await store.cached([id]))];
  },
  "deadlines schedule": ({ deadlines: store }, id) =>
    store.schedule({
      runId: id,
      softDeadlineAt: "2099-01-01T00:00:00Z",
      deadlineAt: "2099-01-01T02:00:00Z",
    }),
  "detection-store create": ({ "detection-store": store }, id) =>
    store.create({ detectionId: id, url: "https://s.example/", groupId: "G", requestedAt: time(1) }),
  "detection-store finish": async ({ "detection-store": store }, id) => {
    await store.finish(id, { type: "nothing", detail: "too early" });
    await store.create({ detectionId: id, url: "https://s.example/", groupId: "G", requestedAt: time(1) });
    for (const detail of ["first", "second"]) await store.finish(id, { type: "nothing", detail });
    return store.get(id);
  },
  "recipe-trial-store create": ({ "recipe-trial-store": store }, id) =>
    store.create({ trialId: id, url: "https://s.example/", toml: "a", requestedAt: time(1) }),
  "recipe-trial-store finish": async ({ "recipe-trial-store": store }, id) => {
    const trial = (problem: string) => ({ isForPage: true, fields: [], problems: [problem] });
    await store.finish(id, trial("too early"));
    await store.create({ trialId: id, url: "https://s.example/", toml: "a", requestedAt: time(1) });
    for (const problem of ["first", "second"]) await store.finish(id, trial(problem));
    return store.get(id);
  },
  "repository-check-store create": ({ "repository-check-store": store }, id) => store.create(checkOf(id, 0)),
  "repository-check-store advance": async ({ "repository-check-store": store }, id) => {
    await store.create(checkOf(id, 0));
    const done = [await store.advance(checkOf(id, 1), 0), await store.advance(checkOf(id, 1), 0)];
    return [...done, await store.get(id)];
  },
  "document-store save": async ({ "document-store": store }, id) => [
    await store.save(listed(id)),
    await store.save(listed(id)),
    await store.save({ ...listed(id), title: "Second", revision: 2 }),
    await store.getMany("s", [id]),
  ],
  "document-store markListed": async ({ "document-store": store }, id) => {
    await store.save(listed(id));
    await store.markListed({ sourceId: "s", documentId: id }, { listedIn: "h" });
    return store.getMany("s", [id]);
  },
  "document-store saveContents": async ({ "document-store": store }, id) => {
    const content = { raw: `<${id}/>`, mediaType: "application/xml", format: "oai_dc", metadata: {} };
    const [location] = await store.saveContents("s", [content]);
    return location && store.loadContent(location);
  },
  "file-store join": async (stores, id) => {
    const bodies = await Promise.all(
      ["a", "b"].map((part) => stores["body-store"].store(`${id}-${part}`, Buffer.from(part), "text/plain")),
    );
    const file = { sourceId: "s", itemId: id, requestId: "r", contentType: "text/plain" };
    return stores["file-store"].join(bodies, file);
  },
  "item-store save": async ({ "item-store": store }, id) => [
    await store.save(item(id)),
    await store.save(item(id)),
    await store.save({ ...item(id), state: "refused", revision: 2 }),
    await store.list(id),
  ],
  "oai-harvest-store save": async ({ "oai-harvest-store": store }, sourceId) => [
    await store.save({ sourceId, revision: 1 }),
    await store.save({ sourceId, revision: 1 }),
    await store.save({ sourceId, revision: 2, recordsOf: "l" }),
    await store.get(sourceId),
  ],
  "received-mail markRead": async ({ "received-mail": store }, id) => {
    for (const subject of ["first", "second"]) await store.markRead(id, "k", { subject, links: [] });
    return (await store.readSince(id, time(0))).map(({ subject }) => subject);
  },
  "body-store pass": async ({ "body-store": store }, id) => [
    await store.load(await store.pass(id, new TextEncoder().encode("small"), "text/plain")),
    (await store.load(await store.pass(id, new Uint8Array(600_000), "text/plain"))).byteLength,
  ],
  "record-store storeMarcs": async ({ "record-store": store }, id) => {
    const marc = (leader: string) => ({ leader: leader.padEnd(24), control: [], fields: [] });
    const keys = await store.storeMarcs([marc(id), marc("ä"), marc("b")]);
    return Promise.all(keys.map((key) => store.loadMarc(key)));
  },
  "record-store storeMarc": async ({ "record-store": store }, id) =>
    store.loadMarc(await store.storeMarc(id, { leader: "x".repeat(24), control: [], fields: [] })),
  "record-store save": async ({ "record-store": store }, id) => [
    await store.save(record(id)),
    await store.save(record(id, "second")),
    await store.get(id),
  ],
  "record-store setState": async ({ "record-store": store }, id) => {
    await store.save(record(id));
    await store.setState(record(id), "delivered", { deliveryFile: "f.xml" });
    return (await store.get(id))?.state;
  },
  "record-store resetDelivered": async ({ "record-store": store }, id) => {
    await store.save(record(id));
    await store.setState(record(id), "delivered", { deliveryFile: "f.xml" });
    await store.resetDelivered(record(id));
    return (await store.get(id))?.state;
  },
  "run-store create": ({ "run-store": store }, id) => store.create(run(id)),
  "run-store changeState": async ({ "run-store": store }, id) => {
    await store.create(run(id));
    const change = () => store.changeState(id, ["starting"], { state: "harvesting" });
    return [await change(), await change(), await store.get(id)];
  },
  "run-store updateTally": async ({ "run-store": store }, id) => [
    await store.updateTally(id, "t", { opened: ["a", "b"], closed: ["a"] }),
    await store.openIds(id, "t"),
  ],
  "run-store claimRequests": async ({ "run-store": store }, id) => {
    const first = await store.claimRequests(id, "s", { ids: ["a", "b"], claimant: "one" });
    const second = await store.claimRequests(id, "s", { ids: ["b", "c"], claimant: "two" });
    return [[...first], [...second]];
  },
  "run-store saveListingOutcome": async ({ "run-store": store }, id) => {
    await store.saveListingOutcome(id, "l", outcome(id));
    return store.sourceOutcomes(id);
  },
  "run-store storeListingResult": async ({ "run-store": store }, id) => [
    await store.storeListingResult(id, "l", listing(id)),
    await store.listingResult(id, id, "l"),
  ],
  "run-store saveOutcome": ({ "run-store": store }, id) => store.saveOutcome(id, dropped("r")),
  "run-store saveOutcomeBatch": ({ "run-store": store }, id) =>
    store.saveOutcomeBatch(id, { sourceId: "s", listingId: "l", outcomes: [dropped("r")] }),
  "run-store markBatchDelivered": async ({ "run-store": store }, id) => {
    await store.saveOutcomeBatch(id, { sourceId: "s", listingId: "l", outcomes: [dropped("r")] });
    await store.markBatchDelivered({ harvestId: id, pageId: "document#s#l" }, "d");
    const left: unknown[] = [];
    for await (const batch of store.undeliveredBatches(id)) left.push(batch);
    return left;
  },
  "run-store finishStage": async ({ "run-store": store }, id) => [
    await store.finishStage(id, "plan", { number: 1 }),
    await store.finishStage(id, "plan", { number: 2 }),
  ],
  "run-store storePart": async ({ "run-store": store }, id) =>
    store.loadPart(await store.storePart(id, [{ id }])),
  "upload-store create": async ({ "upload-store": store }, id) => {
    await store.create(upload(id));
    return store.get(id);
  },
  "upload-store change": async ({ "upload-store": store }, id) => {
    await store.create(upload(id));
    const received = { state: "received" as const, receivedAt: time(2) };
    return [
      await store.change(id, ["waiting"], received),
      await store.change(id, ["waiting"], received),
      await store.get(id),
    ];
  },
  "upload-store saveDocuments": async ({ "upload-store": store }, id) => {
    await store.saveDocuments(id, [{ identifier: "1", format: "other", files: [], metadata: "m" }]);
    return store.loadDocuments(id);
  },
  "upload-store advance": async ({ "upload-store": store }, id) => {
    const byOutcome = { new: 1, opened: 0, deleted: 0, unchanged: 0, refused: 0 };
    const counts = { documents: 1, files: 0, refused: 0, byOutcome };
    const none = { parts: [], counts: { ...counts, documents: 0 } };
    const first = { parts: [{ key: "a", outcomes: 1 }], counts };
    const second = { parts: [...first.parts, { key: "b", outcomes: 1 }], counts };
    await store.create({ ...upload(id), state: "received" });
    return [
      await store.advance(id, none, first),
      await store.advance(id, none, second),
      await store.advance(id, first, second),
      await store.get(id),
    ];
  },
  "upload-store confirm": async ({ "upload-store": store }, id) => {
    await store.create({ ...upload(id), state: "done", dryRun: true });
    const at = "2026-11-20T18:00:00.000Z";
    // Whether it was a dry run is not said again, so a caller looks at the upload.
    await store.confirm(id, at);
    return [await store.confirm(id, at), await store.get(id)];
  },
  "upload-store keepListing": async ({ "upload-store": store }, id) => {
    await store.create({ ...upload(id), content: "folder" });
    return [await store.keepListing(id, "a"), await store.keepListing(id, "b")];
  },
  "upload-store saveListing": async ({ "upload-store": store }, id) =>
    store.loadListing(await store.saveListing(id, [{ name: "a", sizeBytes: 1, etag: "1" }])),
  "upload-store saveOutcomes": async ({ "upload-store": store }, id) =>
    store.loadOutcomes(await store.saveOutcomes(id, [{ type: "document", name: "1", outcome: "new" }])),
  "upload-store store": ({ "upload-store": store }, id) =>
    store.store(piecesOf(9), { sourceId: "s", itemId: id, uploadId: "u", contentType: "text/plain" }),
  "waiting-articles add": async ({ "waiting-articles": store }, id) => {
    await store.add(id, response(id), ["l1", "l2"]);
    return store.waitingFor(id, "l1");
  },
  "collection-store save": async ({ "collection-store": store }, id) => {
    await store.save(defaultCollection(id));
    return store.get(id);
  },
  "collection-store setHold": async ({ "collection-store": store }, id) => {
    await store.save(defaultCollection(id));
    const change = { status: "suppressed" as const, since: time(1), checkId: "c", reason: "held" };
    return [await store.setHold(id, held, change), await store.setHold(id, held, change)];
  },
  "collection-store clearPendingNotifications": async ({ "collection-store": store }, id) => {
    await store.save(defaultCollection(id));
    const change = { status: "suppressed" as const, since: time(1), checkId: "c", reason: "held" };
    const pending = await store.setHold(id, held, change);
    await store.clearPendingNotifications(id, pending);
    return store.setHold(id, held, change);
  },
  "collection-store remove": async ({ "collection-store": store }, id) => {
    await store.save(defaultCollection(id));
    await store.remove(id);
    return store.get(id);
  },
  "collection-store replaceLinkStatus": async ({ "collection-store": store }, id) => {
    const first = { ...restoredStatus(now), checkId: "first" };
    const second = { ...first, checkId: "second" };
    return [
      await store.replaceLinkStatus(id, first, undefined),
      await store.replaceLinkStatus(id, second, first),
      await store.replaceLinkStatus(id, second, first),
      await store.linkStatus(id),
    ];
  },
  "link-history add": async ({ "link-history": store }, id) => {
    const check = { checkId: "c", recordId: id, requestedAt: time(1), judgedAt: time(1), hops: [] };
    await store.add({ ...check, purpose: "record", verdict: "alive", reason: "answered 200" });
    return store.latest(id, 9);
  },
  "link-records replaceLinkStatus": async (stores, id) => {
    await stores["record-store"].save(record(id));
    const was = { recordId: id, collectionId: `c-${id}` };
    const first = { ...restoredStatus(now), checkId: "first" };
    const { replaceLinkStatus, get } = stores["link-records"];
    const deleted = { ...first, status: "deleted" as const, checkId: "second" };
    return [
      await replaceLinkStatus(was, first),
      await replaceLinkStatus({ ...was, link: first }, deleted),
      await replaceLinkStatus({ ...was, link: first }, first),
      await get(id),
    ];
  },
  "link-records claimCheck": async (stores, id) => {
    await stores["record-store"].save(record(id));
    const claimAt = (day: number) =>
      stores["link-records"].claimCheck(id, { requestedAt: time(day), notSince: time(day - 1) });
    return [await claimAt(1), await claimAt(1), await claimAt(9)];
  },
  "link-records releaseCheck": async (stores, id) => {
    await stores["record-store"].save(record(id));
    const { claimCheck, releaseCheck } = stores["link-records"];
    const check = { requestedAt: time(2), notSince: time(1) };
    await claimCheck(id, check);
    await releaseCheck(id, time(2));
    return claimCheck(id, check);
  },
  "link-samples add": async ({ "link-samples": store }, collectionId) => {
    await store.add({ collectionId, day: "2026-11-01", recordId: "r", verdict: "alive" });
    return store.between(collectionId, { from: "2026-11-01", to: "2026-11-01" });
  },
  "link-samples saveCursor": async ({ "link-samples": store }, id) => {
    await store.saveCursor(id, { day: "2026-11-01", after: "a", hosts: {} });
    return store.cursor(id);
  },
  "link-samples saveOverall": async ({ "link-samples": store }) => {
    const share = {
      from: "2026-10-19",
      to: "2026-11-01",
      judged: 2,
      dead: 1,
      inconclusive: 0,
      low: 0,
      high: 1,
    };
    await store.saveOverall(share);
    await store.saveOverall({ ...share, to: "2026-10-31", judged: 9 });
    return store.overall();
  },
  "link-statistics add": async ({ "link-statistics": store }, collectionId) => {
    const change = { day: "2026-11-01", collectionId, change: "suppressed" as const };
    await store.add({ ...change, recordId: "r", url: "https://s.example/" });
    return store.ofCollection(collectionId, "2026-11-01");
  },
  "rechecks schedule": ({ rechecks: store }, id) =>
    store.schedule("2099-01-01T00:00:00Z", { ...request(id), context: {} }),
  "rule-tests create": async ({ "rule-tests": store }, testId) => {
    await store.create({ testId, url: "https://s.example/", rule: { active: true }, requestedAt: time(1) });
    return store.get(testId);
  },
  "rule-tests finish": async ({ "rule-tests": store }, testId) => {
    await store.create({ testId, url: "https://s.example/", rule: { active: true }, requestedAt: time(1) });
    const parts = {
      statusCodes: { isHit: false, statuses: [] },
      finalUrl: { isHit: false },
      xpath: { isHit: false },
    };
    await store.finish(testId, {
      verdict: "alive",
      finding: "alive",
      reason: "answered 200",
      hops: [],
      parts,
    });
    return store.get(testId);
  },
  "busy-hosts save": async ({ "busy-hosts": store }) => {
    await store.save({ at: time(1), intervalMs: 7_200_000, hosts: [] });
    return store.latest();
  },
  "sweep-store create": ({ "sweep-store": store }, id) => store.create(sweep(id)),
  "sweep-store open": ({ "sweep-store": store }, id) => store.open({ ...sweep(id), collectionId: id }),
  "sweep-store addResult": async ({ "sweep-store": store }, id) => {
    await store.create(sweep(id));
    return store.addResult(id, "one", { verdict: "alive", reason: "answered 200" });
  },
  "snapshot-store create": async ({ "snapshot-store": store }, id) => [
    await store.create(definition(id)),
    await store.create(definition(id)),
  ],
  "snapshot-store replace": async ({ "snapshot-store": store }, id) => {
    await store.create(definition(id));
    const changed = { ...definition(id), title: "U" };
    return [
      await store.replace(changed, 1),
      await store.replace(changed, 1),
      (await store.definition(id))?.version,
    ];
  },
  "snapshot-store remove": async ({ "snapshot-store": store }, id) => {
    await store.create(definition(id));
    return [await store.remove(id, 2), await store.remove(id, 1), await store.definition(id)];
  },
  "snapshot-store reserveJobIds": async ({ "snapshot-store": store }) => {
    const first = await store.reserveJobIds(2);
    return (await store.reserveJobIds(1)) - first;
  },
  "snapshot-store addJob": async ({ "snapshot-store": store }, id) => {
    const job = captureJob(id, 1);
    await store.addJob(job);
    await store.addJob({ ...job, state: "failed" });
    return (await store.job(job.id))?.state;
  },
  "snapshot-store changeJob": async ({ "snapshot-store": store }, id) => {
    const job = captureJob(id, 2);
    await store.addJob(job);
    return [
      await store.changeJob(job.id, "new", { state: "started", startedAt: now }),
      await store.changeJob(job.id, "new", { state: "submitted" }),
      (await store.job(job.id))?.startedAt,
    ];
  },
  "snapshot-store countCapture": async ({ "snapshot-store": store }, id) => {
    const job = captureJob(id, 3);
    await store.addJob(job);
    const limits = { maxObjects: 2, maxBytes: 1000 };
    await store.countCapture(job.id, { bytes: 10, limits });
    const before = (await store.job(job.id))?.limit;
    await store.countCapture(job.id, { bytes: 10, limits });
    const { objects, bytes, limit } = (await store.job(job.id)) ?? job;
    return { before, objects, bytes, limit };
  },
  "captured-urls add": async ({ "captured-urls": store }, id) => {
    const wanted = { url: "https://s.example/", hops: "L", via: "https://s.example/a" };
    const job = jobIdOf(id, 4);
    return [
      (await store.add(job, [wanted])).length,
      (await store.add(job, [wanted])).length,
      (await store.add(job, [{ ...wanted, via: "https://s.example/b" }])).length,
    ];
  },
  "captured-urls countQuery": async ({ "captured-urls": store }, id) => [
    await store.countQuery(jobIdOf(id, 5), "/", 2),
    await store.countQuery(jobIdOf(id, 5), "/", 2),
    await store.countQuery(jobIdOf(id, 5), "/", 2),
  ],
  "captured-urls awaitInterims": async ({ "captured-urls": store }, id) => {
    const job = jobIdOf(id, 9);
    const wanted = { url: "https://s.example/", hops: "" };
    await store.addInterim(job, "capture-9-a", { ...wanted, outcome: { at: time(1), log: "one" } });
    const all = new Map([
      ["capture-9-a", wanted],
      ["capture-9-b", wanted],
    ]);
    await store.awaitInterims(job, all);
    await store.awaitInterims(job, all);
    await store.addInterim(job, "capture-9-b", { ...wanted, outcome: { at: time(1), log: "two" } });
    const found: unknown[] = [];
    for await (const page of store.pages(job))
      found.push(...page.map(({ state, outcome }) => [state, outcome?.log]));
    return found;
  },
  "captured-urls addInterim": async ({ "captured-urls": store }, id) => {
    const job = jobIdOf(id, 8);
    const outcome = { at: time(1), log: "one" };
    await store.addInterim(job, "capture-8-a", { url: "https://s.example/", hops: "", outcome });
    await store.addInterim(job, "capture-8-a", {
      url: "https://s.example/",
      hops: "",
      outcome: { ...outcome, log: "two" },
    });
    const logs: unknown[] = [];
    for await (const page of store.pages(job)) logs.push(...page.map((each) => each.outcome?.log));
    return [logs, await store.hasWanted(job)];
  },
  "captured-urls noteUnread": async ({ "captured-urls": store }, id) => {
    const job = jobIdOf(id, 12);
    const [wanted, other] = ["https://s.example/", "https://s.example/b"].map((url) => ({ url, hops: "" }));
    if (wanted === undefined || other === undefined) throw new Error("two URLs are wanted");
    await store.add(job, [wanted, other]);
    await store.finish(job, urlIdOf(job, other.url), { at: time(1), log: "one" });
    for (const { url } of [wanted, other]) await store.noteUnread(job, urlIdOf(job, url), new Date(time(2)));
    const isAskedAgain = (await store.add(job, [wanted])).length > 0;
    const states: unknown[] = [];
    for await (const page of store.pages(job))
      states.push(...page.map(({ url, state, unreadAt }) => [url, state, unreadAt]));
    const isRead = await store.finish(job, urlIdOf(job, wanted.url), { at: time(3), log: "two" });
    return [isAskedAgain, await store.hasWanted(job), states.sort(), isRead];
  },
  "captured-urls finish": async ({ "captured-urls": store }, id) => {
    const job = jobIdOf(id, 6);
    await store.add(job, [{ url: "https://s.example/", hops: "" }]);
    const urlId = urlIdOf(job, "https://s.example/");
    return [
      await store.finish(job, urlId, { at: time(1), log: "one" }),
      await store.finish(job, urlId, { at: time(2), log: "two" }),
      (await store.get(job, urlId))?.outcome?.log,
    ];
  },
  "snapshot-files writePart": async ({ "snapshot-files": store }, id) =>
    store.writePart(jobIdOf(id, 7), "part", chunksOf("records")),
  "snapshot-files write": async ({ "snapshot-files": store }, id) => {
    await store.write(jobIdOf(id, 8), "crawl.log", [Buffer.from("line")]);
    return store.has(jobIdOf(id, 8), "crawl.log");
  },
  "snapshot-files writeElsewhere": async ({ "snapshot-files": store }, id) => {
    const one = { url: "https://s.example/", file: "a.warc.gz", offset: "1" };
    await store.writeElsewhere(jobIdOf(id, 11), [one]);
    return store.elsewhere(jobIdOf(id, 11));
  },
  "snapshot-files writePackage": async ({ "snapshot-files": store }, id) => {
    await store.writePackage(jobIdOf(id, 10), chunksOf("package"));
    return store.hasPackage(jobIdOf(id, 10));
  },
  "events publish": ({ events }, id) => events.publish({ type: "run.finished", changeId: id, detail: {} }),
  "keyed-request-store begin": async ({ "keyed-request-store": store }, id) => [
    await store.begin(keyed(id), time(0)),
    await store.begin(keyed(id), time(0)),
  ],
  "keyed-request-store finish": async ({ "keyed-request-store": store }, id) => {
    await store.begin(keyed(id), time(0));
    await store.finish(keyed(id), { status: 202, headers: {}, body: "{}" });
    return store.begin(keyed(id), time(0));
  },
  "keyed-request-store forget": async ({ "keyed-request-store": store }, id) => {
    await store.begin(keyed(id), time(0));
    await store.forget(keyed(id));
    return store.begin(keyed(id), time(0));
  },
  "lease-store claim": async ({ "lease-store": store }, id) => [
    await store.claim({ key: id, holder: id, untilMs: nowMs + 1000 }, nowMs),
    await store.claim({ key: id, holder: `${id}-2`, untilMs: nowMs + 9000 }, nowMs),
  ],
  "lease-store release": async ({ "lease-store": store }, id) => {
    await store.claim({ key: id, holder: id, untilMs: nowMs + 1000 }, nowMs);
    await store.release({ key: id, holder: id });
    return [...(await store.leasedKeys([id], nowMs))];
  },
  "mailer send": async (stores, id) => {
    const mail = { id, to: ["a@b.example"], subject: "S", text: "T", html: "<p>T</p>" };
    for (let times = 0; times < 2; times += 1) await stores.mailer.send(mail);
    return [...(await stores["sent-mails"].recipients(id))];
  },
  "queues requests": ({ queues }, id) => queues.requests([request(id)]),
  "queues message": ({ queues }, id) => queues.message({ runId: id }),
  "queues deadLetter": ({ queues }, id) =>
    queues.deadLetter({ messageId: id, receiptHandle: "", body: JSON.stringify({ id }) }, "why"),
  "failed-messages save": async ({ "failed-messages": store }, id) => {
    await store.save(failedMessage(id));
    return store.get(id);
  },
  "failed-messages beginTry": async ({ "failed-messages": store }, id) => [
    await store.beginTry(id),
    await store.beginTry(id),
  ],
  "failed-messages endTry": async ({ "failed-messages": store }, id) => {
    await store.beginTry(id);
    await store.endTry(id);
    return store.beginTry(id);
  },
  "failed-messages remove": async ({ "failed-messages": store }, id) => {
    await store.save(failedMessage(id));
    return [await store.remove(id), await store.get(id)];
  },
  "sent-mails markSent": async ({ "sent-mails": store }, id) => {
    await store.markSent({ id, subject: "S" }, ["a@b.example"], now);
    return [...(await store.recipients(id))];
  },
  "sent-mails keep": ({ "sent-mails": store }, id) =>
    store.keep({ id, to: [], subject: "S", text: "T", html: "<p>T</p>" }),
  "index-build-files filesFor": async ({ "index-build-files": store }, id) => {
    const { work, index } = store.filesFor(id);
    await work.write("a", [Buffer.from("1"), Buffer.from("2")]);
    await index.write("a", [Buffer.from("3")]);
    const read = async (files: typeof work) => Buffer.from((await files.read("a")) ?? []).toString();
    return [await read(work), await read(index)];
  },
  "index-builds join": async ({ "index-builds": store }, id) => [
    await store.join(id, { definitionId: id, generation: 1 }, now),
    await store.join(id, { definitionId: id, generation: 2 }, now),
  ],
  "index-builds note": async ({ "index-builds": store }, id) => {
    await store.note({ buildId: id, division: 0 });
    await store.note({ buildId: id, division: 7 });
    return store.note({ buildId: id, shard: 3 });
  },
  "index-builds end": async ({ "index-builds": store }, id) => [
    await store.end(id, { missing: [1], index: { name: id, shards: 1, entries: 2 } }),
    await store.end(id, { missing: [], error: "too late" }),
  ],
};
