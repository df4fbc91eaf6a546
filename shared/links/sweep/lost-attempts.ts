import { digest } from "../../core/digest.ts";
import type { NewRequest } from "../../web/request/request.ts";
import { draftCheck } from "../check/link-check.ts";
import { type Collection, defaultCollection, isExcludedFromChecks } from "../status/collection.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { lostBefore } from "../status/link-status.ts";

/** The maximum number per sweep; the next sweep requests the rest. */
const maxAttempts = 1000;

interface LostAttemptsPorts {
  records: Pick<LinkRecords, "overduePages">;
}

/**
 * Drafts checks for suppressed records whose attempt was lost, because its schedule was deleted or its response went to
 * the dead-letter queue. Sweeps would not find them, because sweeps cover only the oldest and newest records. On the
 * same day, the checks have the same ids.
 * @param collections the collections by id; records of invalid ones are skipped
 */
export async function draftLostAttempts(
  at: Date,
  { collections, unusable }: { collections: ReadonlyMap<string, Collection>; unusable: ReadonlySet<string> },
  { records }: LostAttemptsPorts,
): Promise<NewRequest[]> {
  const requestedAt = at.toISOString();
  const requests: NewRequest[] = [];
  // Reads further pages until enough checks are drafted, even if many records of skipped collections come first.
  for await (const page of records.overduePages(lostBefore("record", at))) {
    for (const { recordId, collectionId, landingUrl, link } of page) {
      const collection = collections.get(collectionId) ?? defaultCollection(collectionId);
      if (link === undefined || isExcludedFromChecks(collection) || unusable.has(collectionId)) continue;
      const checkId = digest("lost", recordId, link.checkId, requestedAt.slice(0, "2026-11-20".length));
      const purpose = { type: "record" as const, attempt: link.failures };
      requests.push(
        draftCheck(landingUrl, { checkId, recordId, collectionId, requestedAt, purpose }, collection),
      );
      if (requests.length === maxAttempts) return requests;
    }
  }
  return requests;
}
