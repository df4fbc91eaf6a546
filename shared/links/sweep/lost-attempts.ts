import { digest } from "../../core/digest.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import { draftCheck } from "../check/link-check.ts";
import { type Collection, defaultCollection, isExcludedFromChecks } from "../status/collection.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { lostBefore } from "../status/link-status.ts";

/** So many are asked for by one sweep; the next one asks for the rest. */
const maxAttempts = 1000;

export interface LostAttemptsPorts {
  records: Pick<LinkRecords, "overduePages">;
}

/**
 * Drafts the attempts of suppressed records whose own got lost on its way: a schedule that was deleted, or an answer that was put
 * aside. Nobody else would ask for them, as samples are of the ends of a collection only. Asked for again, they are the
 * same all day.
 * @param collections by id; those that are not valid are left alone
 */
export async function draftLostAttempts(
  at: Date,
  { collections, unusable }: { collections: ReadonlyMap<string, Collection>; unusable: ReadonlySet<string> },
  { records }: LostAttemptsPorts,
): Promise<NewRequest[]> {
  const askedAt = at.toISOString();
  const requests: NewRequest[] = [];
  // However many there are of collections that are left alone, they keep nobody else's from being found.
  for await (const page of records.overduePages(lostBefore("record", at))) {
    for (const { recordId, collectionId, landingUrl, link } of page) {
      const collection = collections.get(collectionId) ?? defaultCollection(collectionId);
      if (link === undefined || isExcludedFromChecks(collection) || unusable.has(collectionId)) continue;
      const checkId = digest("lost", recordId, link.checkId, askedAt.slice(0, "2026-11-20".length));
      const purpose = { type: "record" as const, attempt: link.failures };
      requests.push(
        draftCheck(landingUrl, { checkId, recordId, collectionId, askedAt, purpose }, collection),
      );
      if (requests.length === maxAttempts) return requests;
    }
  }
  return requests;
}
