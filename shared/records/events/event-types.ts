import * as z from "zod";
import { deliveryModes } from "../sources/delivery-mode.ts";
import type { EventType } from "./event-type.ts";

const time = z.iso.datetime().describe("UTC");
const uri = (of: string) => z.string().startsWith("/").describe(`Path of the ${of} in the API`);
const version = z
  .number()
  .int()
  .min(1)
  .describe("Counts the changes, from 1: an event with a lower number than one seen before is older");
const sourceId = z.string().min(1);

const documentDetail = z.strictObject({
  sourceUri: uri("source"),
  documentUri: uri("document"),
  sourceId,
  identifier: z.string().min(1).describe("In its source, such as an OAI identifier"),
  version,
  at: time.describe("When its source listed it in this state, in UTC"),
  datestamp: z.string().optional().describe("As the source writes it"),
  title: z.string().optional(),
});

/** Articles are published as documents, too; their URI is that of their record. */
const articleDetail = z.strictObject({
  sourceUri: uri("source"),
  documentUri: uri("record"),
  sourceId,
  title: z.string(),
});

const item = {
  sourceUri: uri("source"),
  documentUri: uri("document"),
  itemUri: uri("item"),
  sourceId,
  url: z.string().describe("Where the file was downloaded"),
  version,
  at: time,
};

const itemDetail = z.strictObject({
  ...item,
  contentType: z.string().min(1),
  sizeBytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const sourceDetail = z.strictObject({ sourceUri: uri("source"), sourceId });

const recordStatusDetail = z.strictObject({
  recordId: z.string().min(1),
  collectionId: z.string().min(1),
  landingUrl: z.string(),
  reason: z.string(),
  since: time,
});

const deliveredRecord = {
  recordId: z.string().min(1),
  recordUri: uri("record"),
  sourceId,
  groupId: z.string().min(1),
  title: z.string().optional(),
  deliveryMode: z.enum(deliveryModes),
  runId: z.string().min(1),
  at: time,
};

const recordFinding = z.strictObject({
  ruleId: z.string(),
  tag: z.string(),
  subfield: z.string().optional(),
  reason: z.string(),
});

const collectionStatusDetail = z.strictObject({
  collectionId: z.string().min(1),
  title: z.string(),
  reason: z.string(),
  since: time,
});

const captureDetail = z.strictObject({
  jobId: z.int(),
  definitionId: z.string(),
  objects: z.int().describe("Captured URLs"),
  bytes: z.int().describe("Bytes of their bodies, as received"),
  files: z.array(z.string()).describe("The WARC files"),
});

const indexDetail = z.strictObject({
  definitionId: z.string(),
  generation: z.int().describe("The generation of the activation"),
  missing: z.array(z.int()).describe("The jobs that the index lacks"),
});

const networkDetail = z.strictObject({ since: time, why: z.string() });

const deliveryDetail = z.strictObject({
  groupId: z.string().min(1),
  fileName: z.string().min(1),
  key: z.string().describe("In the bucket of deliveries"),
  runId: z.string().min(1),
  runStartedAt: time,
  deliveryMode: z.enum(deliveryModes),
  records: z.number().int().min(0),
  sizeBytes: z.number().int().min(0),
  deliveredAt: time,
});

const runDetail = z.strictObject({
  runId: z.string().min(1),
  deliveryMode: z.enum(deliveryModes),
  totals: z.record(z.string(), z.unknown()).describe("The totals of the report"),
  late: z
    .array(z.string())
    .optional()
    .describe("The first 100 sources that were not finished and join the next delivery; absent: none"),
});

interface EventDescription {
  /** A sentence without subject: what happened. */
  meaning: string;
  detail: z.ZodType;
}

/** What Ingather publishes: the routing keys, which are the detail types, with the schema of each detail. */
export const eventTypes = {
  "document.new": {
    meaning:
      "A source has a new document, or one that was deleted more than 30 days ago is back; an article was harvested",
    detail: z.union([documentDetail, articleDetail]),
  },
  "document.opened": {
    meaning:
      "A document was modified in its source, or is back within 30 days after its deletion (`state` is among its changes)",
    detail: documentDetail.extend({
      changes: z
        .array(z.enum(["state", "datestamp", "content"]))
        .describe("The differences from the previous version; after a deletion, from the one before it"),
    }),
  },
  "document.deleted": {
    meaning:
      "A document was removed from its source, a full harvest no longer lists it, or its source was deleted with its documents",
    detail: documentDetail,
  },
  "item.new": {
    meaning: "A file of a document was stored for the first time, or is back",
    detail: itemDetail,
  },
  "item.opened": { meaning: "A file was replaced by another one", detail: itemDetail },
  "item.deleted": {
    meaning: "A file has vanished from its host, or its document no longer has it",
    detail: z.strictObject({ ...item, reason: z.string() }),
  },
  "source.new": { meaning: "A source was added; the next poll or daily run reads it", detail: sourceDetail },
  "source.opened": { meaning: "A source was changed", detail: sourceDetail },
  "source.deleted": {
    meaning: "A source was removed; its harvest ends",
    detail: sourceDetail.extend({
      documents: z
        .enum(["keep", "delete"])
        .describe(
          "Whether its documents are kept or deleted; each deletion is published as `document.deleted`",
        ),
    }),
  },
  "source.closed": {
    meaning: "A source that is read once has been read to its end",
    detail: sourceDetail,
  },
  "source.deletions-held": {
    meaning: "The full list of a source lacks too many of its documents to delete them; an operator decides",
    detail: sourceDetail.extend({
      documents: z.int().min(1).describe("The documents that the list lacks"),
      of: z.int().min(1).describe("The documents that the source has"),
      at: time,
    }),
  },
  "record.delivered": {
    meaning: "A record was delivered",
    detail: z.strictObject({ ...deliveredRecord, fileName: z.string().min(1) }),
  },
  "record.refused": {
    meaning: "Validation has refused a record; it waits for an operator",
    detail: z.strictObject({
      ...deliveredRecord,
      findings: z.array(recordFinding).max(20).describe("The first of them"),
      findingCount: z.int().min(1),
    }),
  },
  "record.released": {
    meaning: "A refused record was released: the next delivery takes it",
    detail: z.strictObject({
      ...deliveredRecord,
      runId: z.string().min(1).optional().describe("The run that refused it, if known"),
      by: z.enum(["rules", "operator"]).describe("`rules`: it is valid under the current rules"),
    }),
  },
  "record.activated": { meaning: "A record's link works again", detail: recordStatusDetail },
  "record.suppressed": {
    meaning: "A record's link is broken; its further checks are scheduled",
    detail: recordStatusDetail,
  },
  "record.deleted": { meaning: "A record's link was given up", detail: recordStatusDetail },
  "collection.activated": {
    meaning: "The links of a collection work again",
    detail: collectionStatusDetail,
  },
  "collection.suppressed": {
    meaning: "The links of a collection are broken",
    detail: collectionStatusDetail,
  },
  "collection.deleted": { meaning: "A collection was given up", detail: collectionStatusDetail },
  "delivery.new": { meaning: "A file was delivered", detail: deliveryDetail },
  "run.finished": { meaning: "A run has ended; its report was mailed", detail: runDetail },
  "run.failed": { meaning: "A stage of a run has failed five times", detail: runDetail },
  "capture.done": {
    meaning: "A job of a harvest of web sites has ended; its WARC files are stored",
    detail: captureDetail,
  },
  "capture.failed": {
    meaning: "A job of a harvest of web sites has captured nothing",
    detail: captureDetail,
  },
  "index.ready": {
    meaning: "The deduplication index of a snapshot is ready, perhaps without some jobs; the capture begins",
    detail: indexDetail,
  },
  "index.failed": {
    meaning: "The deduplication index of a snapshot could not be built; the snapshot is deactivated",
    detail: indexDetail.extend({ reason: z.string() }),
  },
  "network.down": { meaning: "Our own network is down; nothing is requested", detail: networkDetail },
  "network.up": { meaning: "Our own network is up again", detail: networkDetail },
} as const satisfies Record<EventType, EventDescription>;
