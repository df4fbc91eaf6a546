import type { UploadCounts, UploadOutcome, UploadProgress } from "../uploads/upload.ts";
import type { ReadBatch, UploadReading } from "./upload-reading.ts";

/** `interrupted`: the time of this invocation is over. `overtaken`: another one reads the upload. */
type BatchesRead = { type: "read" | "interrupted" | "overtaken"; progress: UploadProgress };

const noProgress: UploadProgress = {
  parts: [],
  counts: {
    documents: 0,
    files: 0,
    refused: 0,
    byOutcome: { new: 0, opened: 0, deleted: 0, unchanged: 0, refused: 0 },
  },
};

/** Half of what an invocation has: the other half is for the batch that has begun. */
const maxReadingMs = 300_000;

/**
 * Reads the batches of an upload that have not been read, as long as the invocation has time. The outcomes of each are stored
 * before it counts as read, so that one batch is in memory at a time.
 * @param batches all, in the same order whenever the upload is read
 */
export async function readBatches(
  batches: AsyncIterable<ReadBatch>,
  { upload: { uploadId, progress = noProgress }, ports }: UploadReading,
): Promise<BatchesRead> {
  const startedMs = ports.clock.now().getTime();
  let place = 0;
  let now = progress;
  for await (const readBatch of batches) {
    if (place++ < progress.parts.length) continue;
    if (ports.clock.now().getTime() - startedMs >= maxReadingMs)
      return { type: "interrupted", progress: now };
    const outcomes = await readBatch();
    const key = await ports.objects.saveOutcomes(uploadId, outcomes);
    const next = addOutcomes(now, outcomes, key);
    if (!(await ports.uploads.advance(uploadId, now, next))) return { type: "overtaken", progress: now };
    now = next;
  }
  return { type: "read", progress: now };
}

function addOutcomes(
  { parts, counts }: UploadProgress,
  outcomes: UploadOutcome[],
  key: string,
): UploadProgress {
  const countOf = (type: UploadOutcome["type"]) => outcomes.filter((each) => each.type === type).length;
  return {
    parts: [...parts, { key, outcomes: outcomes.length }],
    counts: {
      documents: counts.documents + countOf("document"),
      files: counts.files + countOf("file"),
      refused: counts.refused + outcomes.filter(({ outcome }) => outcome === "refused").length,
      byOutcome: addByOutcome(counts, outcomes),
    },
  };
}

function addByOutcome({ byOutcome }: UploadCounts, outcomes: UploadOutcome[]): UploadCounts["byOutcome"] {
  const sums = { ...noProgress.counts.byOutcome, ...byOutcome };
  for (const { type, outcome } of outcomes) if (type === "document") sums[outcome]++;
  return sums;
}
