import * as z from "zod";
import { deliveryModes } from "../sources/delivery-mode.ts";
import type { EventType } from "./event-type.ts";

const time = z.iso.datetime().describe("UTC");
const uri = (of: string) => z.string().startsWith("/").describe(`Path of the ${of} in the API`);
const version = z
  .number()
  .int()
  .min(1)
  .describe("The number of the change; a lower number means an earlier change");
const sourceId = z.string().min(1);

const documentDetail = z.strictObject({
  sourceUri: uri("source"),
  documentUri: uri("document"),
  sourceId,
  identifier: z
    .string()
    .min(1)
    .describe("The identifier of the document in its source, such as an OAI identifier"),
  version,
  at: time.describe("When the source listed the document in this state, in UTC"),
  datestamp: z.string().optional().describe("The datestamp as the source writes it"),
  title: z.string().optional(),
});

/** Articles are published as documents, too; their URI is the URI of their record. */
const articleDetail = z.strictObject({
  sourceUri: uri("source"),
  documentUri: uri("record"),
  sourceId,
  title: z.string(),
});

const noticeDetail = articleDetail.extend({
  doi: z.string().min(1).describe("The DOI of the article that is retracted or corrected"),
  notice: z.strictObject({
    type: z.string().describe("The type as the agency names it, such as `retraction` or `erratum`"),
    doi: z.string().min(1).describe("The DOI of the notice"),
    day: z.string().optional().describe("The date of the notice, with the precision of the agency"),
  }),
});

const item = {
  sourceUri: uri("source"),
  documentUri: uri("document"),
  itemUri: uri("item"),
  sourceId,
  url: z.string().describe("The URL from which the file was downloaded"),
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

const share = z.strictObject({
  has: z.int().min(0).describe("The number of records that have the field"),
  of: z.int().min(1).describe("The number of records"),
});

const qualityDetail = sourceDetail.extend({
  field: z.string().describe("The field, such as `abstract`"),
  place: z.string().describe("The field in MARC, such as `520`"),
  since: time.describe("The start of the first run with the drop"),
  before: share.describe("The share in the runs before the drop"),
  now: share.describe("The share in this run; for a source with few records, in its last runs"),
  runId: z.string().min(1),
  at: time.describe("The start of the run"),
});

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
  objects: z.int().describe("The number of captured URLs"),
  bytes: z.int().describe("The size of the captured bodies in bytes, as received"),
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
  key: z.string().describe("The key in the bucket of deliveries"),
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
    .describe(
      "The first 100 unfinished sources, whose articles join the next delivery; absent when there are none",
    ),
});

interface EventDescription {
  /** The occurrence that the event reports, as a sentence. */
  meaning: string;
  detail: z.ZodType;
}

/**
 * The events that Ingather publishes: the routing keys, which are the detail types, each with the schema of its detail.
 */
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
  "document.retracted": {
    meaning: "A registration agency knows a retraction: of a harvested article, or by a harvested notice",
    detail: noticeDetail,
  },
  "document.corrected": {
    meaning: "A registration agency knows a correction: of a harvested article, or by a harvested notice",
    detail: noticeDetail,
  },
  "item.new": {
    meaning: "A file of a document was stored for the first time, or is back",
    detail: itemDetail,
  },
  "item.opened": { meaning: "A file of a document was replaced by another file", detail: itemDetail },
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
    meaning:
      "A full list of a source lacks documents, or their hosts lack files, whose deletion is held until an operator decides",
    detail: sourceDetail.extend({
      documents: z
        .int()
        .min(1)
        .describe("The number of documents that the list lacks, or of files that their hosts lack"),
      of: z.int().min(1).describe("The number of documents that the source has"),
      areFiles: z.literal(true).optional().describe("Set when files are missing, not documents"),
      at: time,
    }),
  },
  "source.quality-drifted": {
    meaning:
      "Fewer records of a source have a field than before: the pages of the source have probably changed",
    detail: qualityDetail,
  },
  "source.quality-recovered": {
    meaning: "As many records of a source have a field as before the drop",
    detail: qualityDetail,
  },
  "record.delivered": {
    meaning: "A record was delivered",
    detail: z.strictObject({ ...deliveredRecord, fileName: z.string().min(1) }),
  },
  "record.refused": {
    meaning: "Validation has refused a record; it waits for an operator",
    detail: z.strictObject({
      ...deliveredRecord,
      findings: z.array(recordFinding).max(20).describe("The first findings"),
      findingCount: z.int().min(1),
    }),
  },
  "record.released": {
    meaning: "A refused record was released; the next delivery includes it",
    detail: z.strictObject({
      ...deliveredRecord,
      runId: z.string().min(1).optional().describe("The run that refused it, if known"),
      by: z.enum(["rules", "operator"]).describe("`rules`: the record is valid under the current rules"),
    }),
  },
  "record.activated": { meaning: "A record's link works again", detail: recordStatusDetail },
  "record.suppressed": {
    meaning: "A record's link is broken; further checks are scheduled",
    detail: recordStatusDetail,
  },
  "record.deleted": {
    meaning: "The last scheduled check of a record's link failed; the record now has the status deleted",
    detail: recordStatusDetail,
  },
  "collection.activated": {
    meaning: "The links of a collection work again",
    detail: collectionStatusDetail,
  },
  "collection.suppressed": {
    meaning: "The links of a collection are broken",
    detail: collectionStatusDetail,
  },
  "collection.deleted": {
    meaning: "The last scheduled check of a collection failed; the collection now has the status deleted",
    detail: collectionStatusDetail,
  },
  "delivery.new": { meaning: "A file was delivered", detail: deliveryDetail },
  "run.finished": { meaning: "A run has ended; its report was mailed", detail: runDetail },
  "run.failed": { meaning: "A stage of a run has failed five times", detail: runDetail },
  "capture.done": {
    meaning: "A capture job has ended; its WARC files are stored",
    detail: captureDetail,
  },
  "capture.failed": {
    meaning: "A capture job has captured nothing",
    detail: captureDetail,
  },
  "index.ready": {
    meaning: "The deduplication index of a snapshot is ready, possibly without some jobs; the capture begins",
    detail: indexDetail,
  },
  "index.failed": {
    meaning: "The deduplication index of a snapshot could not be built; the snapshot is deactivated",
    detail: indexDetail.extend({ reason: z.string() }),
  },
  "network.down": { meaning: "The network of Ingather is down; no requests are sent", detail: networkDetail },
  "network.up": { meaning: "The network of Ingather is up again", detail: networkDetail },
} as const satisfies Record<EventType, EventDescription>;
