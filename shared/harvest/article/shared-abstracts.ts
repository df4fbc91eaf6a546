// Input: an item with its notes. Output: the item, without an abstract that another article of the source has as well.
// Called by convert-article.ts.

import { digest } from "../../core/digest.ts";
import { formatValue } from "../../core/errors.ts";
import { normalizeForComparison } from "../../formats/comparable-text.ts";
import { identifyingFields, type ZoteroItem } from "../../formats/zotero-item.ts";
import type { RunStore } from "../../records/runs/run-store.ts";

/** The longest description of a site. Longer texts are abstracts. */
const maxDescriptionChars = 400;

/**
 * Removes a short abstract that another article of the source has: it is the description of the site. The first article
 * keeps it. The text is claimed by DOI or URL, so that an article that is converted again keeps its own.
 */
export async function withoutSharedAbstract(
  items: ZoteroItem[],
  { sourceId, entryUrl }: { sourceId: string; entryUrl: string },
  runs: Pick<RunStore, "claimRequests">,
): Promise<{ items: ZoteroItem[]; warnings: string[] }> {
  const [item, ...notes] = items;
  const { abstractNote } = item ?? {};
  const text = typeof abstractNote === "string" ? normalizeForComparison(abstractNote) : "";
  if (item === undefined || text === "" || text.length > maxDescriptionChars) return { items, warnings: [] };
  const { doi, url = entryUrl } = identifyingFields(item);
  const claimant = digest(doi?.toLowerCase() ?? url);
  const claimed = await runs.claimRequests(`abstracts-${sourceId}`, sourceId, {
    ids: [digest("abstract", text)],
    claimant,
  });
  if (claimed.size > 0) return { items, warnings: [] };
  const { abstractNote: _shared, ...rest } = item;
  const warning = `another article of the source has the same abstract, which was left out: ${formatValue(abstractNote)}`;
  return { items: [rest, ...notes], warnings: [warning] };
}
