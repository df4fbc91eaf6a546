import * as z from "zod";
import { marcRecord, time } from "../../api/answer.ts";
import { recordStates, type StoredRecord } from "../../records/documents/stored-record.ts";
import { originFinding } from "../../records/origin/origin-finding.ts";
import { provenance, provenanceText } from "../../records/origin/provenance.ts";
import type { LinkStatus } from "../status/link-status.ts";
import { statusValue } from "./collection-answers.ts";

const recordFields = z.strictObject({
  recordId: z.string(),
  title: z.string(),
  landingUrl: z.string().describe("The page that the record points to"),
  syndicatedAt: time.describe("When the record was published or, if that is unknown, harvested"),
});

export const listedRecord = recordFields.extend({
  collectionId: z.string().optional().describe("Set when the query has `state`"),
  link: z
    .strictObject({
      status: statusValue,
      since: time,
      reason: z.string(),
      nextAttemptAt: time.optional().describe("Set for suppressed records"),
    })
    .optional()
    .describe("Set when the query has `state`"),
});

export const fullRecord = recordFields.extend({
  sourceId: z.string(),
  collectionId: z.string(),
  hash: z.string(),
  state: z.enum(recordStates),
  updatedAt: time,
  provenance: provenance.optional().describe(provenanceText),
  originFindings: z
    .array(originFinding)
    .optional()
    .describe("Witnesses that disagree, and known retractions and corrections"),
  link: z.strictObject({ status: statusValue, collectionStatus: statusValue }),
  marc: marcRecord,
});

/** The link of a record, as readers see it. */
export const readerLink = z.strictObject({
  recordId: z.string(),
  landingUrl: z.string(),
  status: statusValue.describe("The status of the link, if known"),
  judgedAt: time.optional().describe("When the link was last judged; absent if it has never been judged"),
  verdict: z.enum(["alive", "broken", "inconclusive"]).optional(),
  reason: z.string().optional(),
});

export const checkedLink = z.strictObject({
  status: z
    .enum(["recent", "excluded", "failed"])
    .describe(
      "`recent`: a check was requested in the last six hours. `excluded`: the record or its collection is not checked. `failed`: the check could not be requested",
    ),
  link: readerLink,
});

/** Returns the public part of the status of a link that is not active. */
export function publicLinkView({ status, since, reason, nextAttemptAt }: LinkStatus) {
  return { status, since, reason, ...(nextAttemptAt !== undefined && { nextAttemptAt }) };
}

/** Returns the public part of a record. */
export function publicRecordView(record: StoredRecord) {
  const { recordId, sourceId, collectionId, title, landingUrl, syndicatedAt, hash, state, updatedAt } =
    record;
  const { provenance: origin, originFindings } = record;
  return {
    recordId,
    sourceId,
    collectionId,
    title,
    landingUrl,
    syndicatedAt,
    hash,
    state,
    updatedAt,
    ...(origin && { provenance: origin }),
    ...(originFindings && { originFindings }),
  };
}
