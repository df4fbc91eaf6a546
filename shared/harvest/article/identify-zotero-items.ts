// Input: the statements about several articles of a response. Output: an entry and an id for each article. Called by
// convert-article-content.ts.

import { digest } from "../../core/digest.ts";
import { truncateText } from "../../core/truncate-text.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { identifyingFields, type ZoteroItem } from "../../formats/zotero-item.ts";
import { escapedDoiUrl, parseDoi } from "../../identifiers/doi.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import { readChoices } from "../../web/translation/choices.ts";
import { translationOptionsOf } from "../../web/translation/translation-options.ts";
import { articleId, entryFromUrl } from "../listing/article-requests.ts";
import type { Statements } from "./article-content.ts";

/** The maximum length of a URL. A longer URL is ignored and replaced by a URL derived from that of the list. */
const maxUrlChars = 10_000;

/** One of several items of a response. */
export interface IdentifiedZoteroItem {
  statements: Statements;
  /** The entry as a feed would contain it. */
  entry: FeedEntry;
  /** Whether the item contains a web address. */
  hasOwnUrl: boolean;
  /** The id of the outcome. It is the same in every response of the run that contains the item. */
  id: string;
}

/**
 * Returns a separate entry and id for each item of a response. Items with the same URL are distinguished by DOI and
 * title, so that none replaces another. The archive decides later whether they are the same article.
 * @param context.entry the entry that was requested
 */
export function identifyZoteroItems(
  articles: readonly Statements[],
  { runId, sourceId, entry: listed }: { runId: string; sourceId: string; entry: FeedEntry },
): IdentifiedZoteroItem[] {
  const drafts = articles.map(([{ item }], index) => buildEntry(item, listed, index));
  const draftsByUrl = Map.groupBy(drafts, ({ url }) => url);
  const occurrences = new Map<string, number>();
  return articles.map((statements, index) => {
    const [{ item }] = statements;
    let entry = drafts[index] as FeedEntry;
    if ((draftsByUrl.get(entry.url)?.length ?? 0) > 1) {
      const { doi = "", title = "" } = identifyingFields(item);
      const named = `${entry.url}#${digest(doi, title)}`;
      const previousCount = occurrences.get(named) ?? 0;
      occurrences.set(named, previousCount + 1);
      entry = { ...entry, id: previousCount === 0 ? named : `${named}-${previousCount}` };
    }
    const hasOwnUrl = parseWebUrl(identifyingFields(item).url) !== undefined;
    return { statements, entry, hasOwnUrl, id: articleId(runId, sourceId, entry.id) };
  });
}

function buildEntry(item: ZoteroItem, listed: FeedEntry, index: number): FeedEntry {
  const { doi, url, title } = identifyingFields(item);
  const stated = parseDoi(doi);
  const own = [parseWebUrl(url)?.href, stated && escapedDoiUrl(stated)].find(
    (address) => address !== undefined && address.length <= maxUrlChars,
  );
  return {
    ...entryFromUrl(own ?? `${listed.url}#${digest(title ?? "", String(index))}`),
    ...(title !== undefined && { title: truncateText(title) }),
  };
}

/**
 * Returns the choices that a request posted, one entry per article.
 * @returns undefined when the request posted none
 */
export async function loadPostedChoices(
  request: Pick<OutboundRequest, "transport" | "url">,
  bodies: BodyReader,
): Promise<FeedEntry[] | undefined> {
  const { choicesKey } = translationOptionsOf(request) ?? {};
  if (choicesKey === undefined) return undefined;
  const { items = {} } = readChoices(await bodies.load(choicesKey)) ?? {};
  return Object.entries(items).map(([name, offered]) => {
    const title = typeof offered === "string" ? offered : (offered as { title?: unknown } | null)?.title;
    return {
      ...entryFromUrl((name || request.url).slice(0, maxUrlChars)),
      ...(typeof title === "string" && title !== "" && { title: truncateText(title) }),
    };
  });
}
