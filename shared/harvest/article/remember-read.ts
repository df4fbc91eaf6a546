// Input: the outcomes of an article that a poll has read without a delivery. Output: keys in the archive by which later
// polls recognise the article. Called by read-article-response.ts.

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
 * Stores that an article was read without a delivery, so that its page is requested only once. Without this entry,
 * polls would not recognise the article, because it is not in the archive of any delivery mode. An unusable article is
 * read again after 90 days, and an article whose host failed on the next day. Has no effect in other runs.
 */
export async function rememberRead(
  outcomes: readonly DocumentOutcome[],
  { run, request, entry }: { run: Run; request: OutboundRequest; entry: FeedEntry },
  { archive, clock }: RememberReadPorts,
): Promise<void> {
  const mode = archiveModeOf(run);
  if (mode !== "READ") return;
  const now = clock.now();
  // The owner is this run; a later run takes over expired keys.
  const owner = `read-${run.runId}`;
  // A page that may be a list is read again, because it may then contain other articles.
  const mayBeList = translationOptionsOf(request)?.returnsChoices === true;
  const expiresAt = Math.floor((now.getTime() + refusedDays * dayMs) / 1000);
  const claims = outcomes.flatMap((outcome) => {
    if (outcome.state === "converted") return outcome.archiveKeys.map((key) => ({ key }));
    if (outcome.state === "failed" || mayBeList) return [];
    // With other keys, the page would be requested again and again.
    const keys = buildArchiveKeys({ doi: entry.doi, urls: [entry.url] }, mode);
    return keys.map((key) => (outcome.state === "known" ? { key } : { key, expiresAt }));
  });
  await inParallel(claims, maxParallelKeys, ({ key, ...expiry }) =>
    archive.claim(key, { owner, entryKey: key, state: "claimed", ...expiry }, now),
  );
}
