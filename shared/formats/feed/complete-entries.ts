import { escapedDoiUrl, findDoiInUrl, parseDoi } from "../../identifiers/doi.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";
import type { FeedEntry } from "./feed-entry.ts";
import type { MappedFeed } from "./feed-result.ts";

/** An entry before its completion, which may lack an id or a URL. */
export type DraftEntry = Omit<FeedEntry, "id" | "url"> & { id: string | undefined; url: string | undefined };

/** Adds missing ids and URLs. An entry without a URL gets that of its DOI. If it has no DOI, it is dropped. */
export function completeEntries(drafts: DraftEntry[]): Pick<MappedFeed, "entries" | "dropped"> {
  const entries: FeedEntry[] = [];
  const dropped: MappedFeed["dropped"] = [];
  for (const [index, draft] of drafts.entries()) {
    const doi =
      draft.doi ?? parseDoi(draft.id) ?? findDoiInUrl(draft.url ?? "") ?? findDoiInUrl(draft.id ?? "");
    const url = draft.url ?? (doi && escapedDoiUrl(doi));
    if (url === undefined) {
      dropped.push({ index, reason: `no URL and no DOI: ${draft.title ?? draft.id ?? "no title"}` });
    } else {
      entries.push({ ...draft, id: draft.id ?? url, url, doi });
    }
  }
  return { entries, dropped };
}

/** Returns the first http or https URL among the candidates. Relative URLs are resolved against `base`. */
export function firstWebUrl(candidates: { href: string | undefined; base?: string }[]): string | undefined {
  for (const { href, base } of candidates) {
    const url = parseWebUrl(href, base);
    if (url !== undefined) return url.href;
  }
  return undefined;
}
