import type { EventType } from "./event-type.ts";

const sourceUri = "/sources/oa-upm";
const document = {
  sourceUri,
  documentUri: `${sourceUri}/documents/Vq3m0yR8uC5tKx1B`,
  sourceId: "oa-upm",
};
const documentDetail = {
  ...document,
  identifier: "oai:oa.upm.es:17",
  version: 1,
  at: "2026-11-20T19:00:12.000Z",
  datestamp: "2026-11-19",
  title: "On ladders",
};
const item = {
  ...document,
  itemUri: `${document.documentUri}/items/d8WbLk2nZs6Tj0Qf`,
  url: "https://oa.upm.es/17/1/ladders.pdf",
  version: 1,
  at: "2026-11-20T19:00:14.000Z",
};
const file = {
  contentType: "application/pdf",
  sizeBytes: 1_204_412,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};
const source = { sourceUri, sourceId: "oa-upm" };
const since = "2026-11-20T18:00:00.000Z";
const record = {
  recordId: "aNdcU5jd5mS_2oqd",
  collectionId: "demo-journal",
  landingUrl: "https://journal.example/1",
  reason: "status 404",
  since,
};
const drift = {
  field: "abstract",
  place: "520",
  since: "2026-11-20T19:00:00.000Z",
  before: { has: 38, of: 40 },
  runId: "live-20261120T190000Z",
  at: "2026-11-20T19:00:00.000Z",
};
const collection = {
  collectionId: "demo-journal",
  title: "Lantern",
  reason: "4 of 4 links are broken",
  since,
};
const run = {
  runId: "live-20261120T190000Z",
  deliveryMode: "LIVE",
  totals: { entries: 12, converted: 11, delivered: 10 },
};

const deliveredRecord = {
  recordId: "aNdcU5jd5mS_2oqd",
  recordUri: "/records/aNdcU5jd5mS_2oqd",
  sourceId: "demo-journal",
  groupId: "Lantern",
  title: "How to fold a chart",
  deliveryMode: "LIVE",
  runId: run.runId,
  at: "2026-11-20T19:31:00.000Z",
};
const notice = {
  sourceUri: "/sources/demo-journal",
  documentUri: "/records/aNdcU5jd5mS_2oqd",
  sourceId: "demo-journal",
  title: "How to fold a chart",
  doi: "10.5555/lantern.1",
};
const { runId: _runId, ...withoutRun } = deliveredRecord;

const capture = {
  jobId: 7,
  definitionId: "Vq3m0yR8uC5tKx1B",
  objects: 1204,
  bytes: 88_120_332,
  files: ["INGATHER-7-20261120190000-00000.warc.gz"],
};

const index = { definitionId: "Vq3m0yR8uC5tKx1B", generation: 1, missing: [5] };

/** An example of each type of event, with its detail as it is published. For documents and tests. */
export const eventSamples: Record<EventType, { changeId: string } & Record<string, unknown>> = {
  "document.new": { changeId: "Vq3m0yR8uC5tKx1B/1", ...documentDetail },
  "document.opened": {
    changeId: "Vq3m0yR8uC5tKx1B/2",
    ...documentDetail,
    version: 2,
    changes: ["datestamp", "content"],
  },
  "document.deleted": { changeId: "Vq3m0yR8uC5tKx1B/3", ...documentDetail, version: 3 },
  "document.retracted": {
    changeId: "aNdcU5jd5mS_2oqd/retracted/10.5555/lantern.1/10.5555/lantern.9",
    ...notice,
    notice: { type: "retraction", doi: "10.5555/lantern.9", day: "2026-11-02" },
  },
  "document.corrected": {
    changeId: "aNdcU5jd5mS_2oqd/corrected/10.5555/lantern.1/10.5555/lantern.8",
    ...notice,
    notice: { type: "erratum", doi: "10.5555/lantern.8" },
  },
  "item.new": { changeId: "d8WbLk2nZs6Tj0Qf/1", ...item, ...file },
  "item.opened": { changeId: "d8WbLk2nZs6Tj0Qf/2", ...item, ...file, version: 2 },
  "item.deleted": {
    changeId: "d8WbLk2nZs6Tj0Qf/3",
    ...item,
    version: 3,
    reason: "https://oa.upm.es/17/1/ladders.pdf answered 404",
  },
  "source.new": { changeId: "source.new/oa-upm/9pQ0", ...source },
  "source.opened": { changeId: "source.opened/oa-upm/Xw4r", ...source },
  "source.deleted": { changeId: "source.deleted/oa-upm/Xw4r", ...source, documents: "keep" },
  "source.closed": { changeId: "source.closed/oa-upm", ...source },
  "source.deletions-held": {
    changeId: "source.deletions-held/oa-upm",
    ...source,
    documents: 248,
    of: 250,
    at: since,
  },
  "source.quality-drifted": {
    changeId: "kX2vQ9mN4tRb7sLw/drifted",
    ...source,
    ...drift,
    now: { has: 3, of: 40 },
  },
  "source.quality-recovered": {
    changeId: "kX2vQ9mN4tRb7sLw/recovered",
    ...source,
    ...drift,
    now: { has: 39, of: 40 },
  },
  "record.delivered": {
    changeId: "aNdcU5jd5mS_2oqd/delivered/live-20261120T190000Z",
    ...deliveredRecord,
    fileName: "Lantern_zotero_261120_001.xml",
  },
  "record.refused": {
    changeId: "aNdcU5jd5mS_2oqd/refused/live-20261120T190000Z",
    ...deliveredRecord,
    findings: [{ ruleId: "missing-title", tag: "245", subfield: "a", reason: "245 $a is missing" }],
    findingCount: 1,
  },
  "record.released": {
    changeId: "aNdcU5jd5mS_2oqd/released/2026-11-20T19:00:00.000Z",
    ...withoutRun,
    by: "operator",
  },
  "record.activated": { changeId: "aNdcU5jd5mS_2oqd/c2", ...record, reason: "status 200" },
  "record.suppressed": { changeId: "aNdcU5jd5mS_2oqd/c1", ...record },
  "record.deleted": { changeId: "aNdcU5jd5mS_2oqd/c3", ...record },
  "collection.activated": { changeId: "demo-journal/c2", ...collection },
  "collection.suppressed": { changeId: "demo-journal/c1", ...collection },
  "collection.deleted": { changeId: "demo-journal/c3", ...collection },
  "delivery.new": {
    changeId: "live-20261120T190000Z/Lantern_zotero_261120_001.xml",
    groupId: "Lantern",
    fileName: "Lantern_zotero_261120_001.xml",
    key: "lantern/Lantern_zotero_261120_001.xml",
    runId: run.runId,
    runStartedAt: "2026-11-20T19:00:00.000Z",
    deliveryMode: "LIVE",
    records: 10,
    sizeBytes: 20_480,
    deliveredAt: "2026-11-20T19:31:00.000Z",
  },
  "run.finished": { changeId: "c2hvd24gaGVyZQ", ...run },
  "run.failed": { changeId: "dG9vIG9mdGVu", ...run },
  "capture.done": { changeId: "capture/7", ...capture },
  "capture.failed": { changeId: "capture/8", ...capture, jobId: 8, objects: 0, bytes: 0, files: [] },
  "index.ready": { changeId: "index/Vq3m0yR8uC5tKx1B/1", ...index },
  "index.failed": {
    changeId: "index/Vq3m0yR8uC5tKx1B/2",
    ...index,
    generation: 2,
    missing: [5, 6],
    reason: "The deduplication index could not be built: 2 jobs of 2 cannot be read: 5, 6",
  },
  "network.down": { changeId: `network.down/${since}`, since, why: "no probe answered" },
  "network.up": { changeId: `network.up/${since}`, since, why: "https://probe.example answered" },
};
