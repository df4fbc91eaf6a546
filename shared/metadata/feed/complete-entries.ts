import { escapedDoiUrl, findDoiInUrl, parseDoi } from "../../identifiers/doi.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";
import type { FeedEntry } from "./feed-entry.ts";
import type { MappedFeed } from "./feed-result.ts";

/** An entry as its format gives it: it may have no identifier or no address of its own. */
export type DraftEntry = Omit<FeedEntry, "id" | "url"> & { id: string | undefined; url: string | undefined };

/** Gives each entry what it must have; an entry without an address gets its DOI's, or is dropped. */
export function completeEntries(drafts: DraftEntry[]): Pick<MappedFeed, "entries" | "dropped"> {
  const entries: FeedEntry[] = [];
  const dropped: MappedFeed["dropped"] = [];
  for (const [index, draft] of drafts.entries()) {
    const doi =
      draft.doi ?? parseDoi(draft.id) ?? findDoiInUrl(draft.url ?? "") ?? findDoiInUrl(draft.id ?? "");
    const url = draft.url ?? (doi && escapedDoiUrl(doi));
    if (url === undefined) {
      dropped.push({ index, reason: `no web address and no DOI: ${draft.title ?? draft.id ?? "no title"}` });
    } else {
      entries.push({ ...draft, id: draft.id ?? url, url, doi });
    }
  }
  return { entries, dropped };
}

/** The first of the addresses that is a URL of the web; relative ones are resolved against `base`. */
export function firstWebUrl(candidates: { given: string | undefined; base?: string }[]): string | undefined {
  for (const { given, base } of candidates) {
    const url = parseWebUrl(given, base);
    if (url !== undefined) return url.href;
  }
  return undefined;
}
