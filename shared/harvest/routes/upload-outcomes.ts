import type { Upload, UploadObjects, UploadOutcome } from "../uploads/upload.ts";

/** The maximum number of stored batches of outcomes that are read for a page with a filter. */
const maxParts = 40;

/** Returns a page of the outcomes, which are stored in batches. */
export async function outcomesPage(
  { progress }: Upload,
  { limit, after = 0, outcome }: OutcomesQuery,
  { loadOutcomes }: Pick<UploadObjects, "loadOutcomes">,
): Promise<{ page: UploadOutcome[]; next?: string }> {
  const page: UploadOutcome[] = [];
  let begin = 0;
  let position = after;
  let parts = 0;
  for (const { key, outcomes } of progress?.parts ?? []) {
    const end = begin + outcomes;
    if (end > position && page.length < limit && parts++ < maxParts) {
      for (const each of (await loadOutcomes(key)).slice(position - begin)) {
        if (page.length === limit) break;
        position++;
        if (outcome === undefined || each.outcome === outcome) page.push(each);
      }
    }
    begin = end;
  }
  return { page, ...(position < begin && { next: String(position) }) };
}

interface OutcomesQuery {
  limit: number;
  after?: number | undefined;
  outcome?: UploadOutcome["outcome"] | undefined;
}
