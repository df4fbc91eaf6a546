import * as z from "zod";
import { count, time } from "../../api/answer.ts";
import { next } from "../../api/paging.ts";
import { knownReasons } from "../../records/archive/known-reason.ts";
import { type Run, runModes } from "../../records/runs/run.ts";
import { fileKinds } from "../stage-results/delivery.ts";
import { overdueSource } from "./overdue-answer.ts";
import { drift } from "./quality-answers.ts";

export const runState = z.enum(["starting", "harvesting", "delivering", "finished", "failed"]);

export const runFailure = z
  .strictObject({ stage: z.string(), reason: z.string(), at: time })
  .describe("Why the run stopped; the next start resumes the run at that stage");

/** Absent in runs of earlier versions, whose outcomes do not add up to a total. */
const ofNow = count.optional().describe("Absent in runs of earlier versions");

export const run = z
  .strictObject({
    runId: z.string(),
    deliveryMode: z.enum(runModes),
    state: runState,
    startedAt: time,
    softDeadlineAt: time
      .optional()
      .describe(
        "When the run delivers its finished sources. Late sources are still read, for the next delivery",
      ),
    deadlineAt: time.describe("When the run delivers all outcomes so far; nothing is read afterwards"),
    finishedAt: time.optional(),
    newest: count
      .optional()
      .describe("The number of newest articles that are read per list; absent when all are read"),
    failure: runFailure.optional(),
    figures: z
      .strictObject({
        listed: count.describe("The sum of the other numbers"),
        delivered: count,
        undelivered: count.describe("Valid, but not delivered"),
        onlineFirst: count,
        refused: count.describe("Refused by validation"),
        duplicates: ofNow,
        known: ofNow,
        unusable: count,
        unreachable: count,
        unanswered: ofNow,
      })
      .optional()
      .describe("The results of the run as numbers of articles; set when the run has finished"),
  })
  .meta({ title: "Run" });

/** Returns a run without the field that is only used to compare starts of runs. */
export function runView<Shown extends Pick<Run, "startKey">>({ startKey: _startKey, ...shown }: Shown) {
  return shown;
}

/** The articles that were left out because the archive contains them, by reason. */
export const knownCounts = z.partialRecord(z.enum(knownReasons), count).meta({ title: "KnownCounts" });

const file = z
  .strictObject({
    kind: z.enum(fileKinds),
    groupId: z.string(),
    fileName: z.string(),
    key: z.string().optional().describe("The key in the bucket of deliveries"),
    records: count,
    deliveredAt: time.optional(),
    remarks: z.array(z.string()).optional().describe("What an operator should check at the receiver"),
  })
  .meta({ title: "RunFile" });

const problems = z
  .strictObject({
    count,
    first: z
      .array(
        z.strictObject({ what: z.string().describe("Title or URL"), url: z.string(), reason: z.string() }),
      )
      .describe("The first entries"),
  })
  .meta({ title: "Problems" });

const sourceReport = z
  .strictObject({
    sourceId: z.string(),
    title: z.string(),
    state: z.enum(["read", "failed"]),
    reason: z.string().optional().describe("Why the source failed, or a note about it"),
    isUnreachable: z
      .literal(true)
      .optional()
      .describe("Set when the source failed because no host responded"),
    isPreparatory: z.literal(true).optional(),
    unfollowed: z
      .record(z.string(), count)
      .optional()
      .describe("Links of a crawl that were not followed, by limit"),
    emptyReason: z.string().optional().describe("Why a crawl found no article"),
    entries: count.describe("Entries that the source listed"),
    listed: count.describe(
      "The sum of the outcomes: delivered, undelivered, duplicates, online-first, refused, known, unusable, unreachable, unanswered",
    ),
    known: knownCounts.describe("Omitted because the archive has them, by reason"),
    requested: count.describe("Articles that were requested"),
    isLate: z
      .literal(true)
      .optional()
      .describe(
        "Set when the source was unfinished when the delivery began; its articles join the next delivery",
      ),
    read: count.describe("Requested articles that have an outcome"),
    converted: count,
    delivered: count,
    undelivered: count.describe("Valid, but not delivered yet"),
    duplicates: problems.describe("Duplicates of other records, or ignored"),
    alike: problems.describe("Delivered possible duplicates"),
    onlineFirst: count.describe("Waiting for volume and issue"),
    released: count.describe("Refused by an earlier run, and released since then"),
    delinquent: problems.describe("Refused by validation for the first time"),
    refusedBefore: problems.describe("Refused by validation again, with the days since the first time"),
    unusable: problems.describe("Read, but unusable as a record"),
    unreachable: problems.describe("Not available from their hosts"),
    unanswered: count.describe("Requested, but without a response so far, or at the deadline"),
    warnings: problems.describe("Converted with a warning"),
  })
  .meta({ title: "SourceReport" });

export const runReport = run.extend({
  totals: z.strictObject({
    entries: count,
    converted: count,
    delivered: count,
    undelivered: count,
    onlineFirst: count,
    delinquent: count,
    refusedBefore: count,
    unusable: count,
    unreachable: count,
    duplicates: count.optional(),
    unanswered: count.optional(),
    listed: count.optional().describe("The sum of the outcomes; absent in runs of earlier versions"),
    knownToArchive: knownCounts,
  }),
  files: z.array(file).describe("Delivered files, and files that are kept for operators"),
  waitingFiles: z.array(file).describe("Files that have not been sent yet"),
  late: z.array(z.string()).optional().describe("The ids of late sources; absent when there are none"),
  overdue: z.array(overdueSource).optional().describe("Overdue sources; absent until they have been checked"),
  quality: z
    .array(
      z.strictObject({
        sourceId: z.string(),
        title: z.string(),
        found: z.array(drift).describe("The drifts that this run has found"),
        recovered: z.array(drift).describe("The drifts that have ended in this run"),
      }),
    )
    .optional()
    .describe("The sources with such drifts; absent until the report is made"),
  sources: z.array(sourceReport).describe("A page of the sources, by id"),
  next,
});
