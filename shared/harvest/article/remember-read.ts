// In: the outcomes of an article that a poll has read without a delivery. Out: keys in the archive by which later polls know it.
// Called by read-article-response.ts.

import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { refusedDays } from "../../records/archive/archive-entry.ts";
import { archiveModeOf, buildArchiveKeys } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { DocumentOutcome, Run } from "../../records/runs/run.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import { translationOptionsOf } from "../../web/translation/translation-options.ts";

export interface RememberReadPorts {
  archive: Pick<ArchiveStore, "knownReasons" | "claim">;
  clock: Clock;
}

const maxParallelKeys = 16;

/**
 * Remembers an article that was read without a delivery, so that its page is requested once: no archive of a delivery mode
 * knows it. One that is unusable is read again after 90 days, one whose host failed on the next day. No effect in other runs.
 */
export async function rememberRead(
  outcomes: readonly DocumentOutcome[],
  { run, request, entry }: { run: Run; request: OutboundRequest; entry: FeedEntry },
  { archive, clock }: RememberReadPorts,
): Promise<void> {
  const mode = archiveModeOf(run);
  if (mode !== "READ") return;
  const now = clock.now();
  // Of this run: a later one takes over what has expired.
  const owner = `read-${run.runId}`;
  // A page that may be a list is read again: it may have other articles then.
  const mayBeList = translationOptionsOf(request)?.returnsChoices === true;
  const expiresAt = Math.floor((now.getTime() + refusedDays * dayMs) / 1000);
  const claims = outcomes.flatMap((outcome) => {
    if (outcome.state === "converted") return outcome.archiveKeys.map((key) => ({ key }));
    if (outcome.state === "failed" || mayBeList) return [];
    // Known by other keys, its page would be requested again and again.
    const keys = buildArchiveKeys({ doi: entry.doi, urls: [entry.url] }, mode);
    return keys.map((key) => (outcome.state === "known" ? { key } : { key, expiresAt }));
  });
  await inParallel(claims, maxParallelKeys, ({ key, ...expiry }) =>
    archive.claim(key, { owner, entryKey: key, state: "claimed", ...expiry }, now),
  );
}
