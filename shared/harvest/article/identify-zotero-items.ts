import { digest } from "../../core/digest.ts";
import { truncateText } from "../../core/truncate-text.ts";
import { escapedDoiUrl, parseDoi } from "../../identifiers/doi.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";
import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import { identifyingFields, type ZoteroItem } from "../../metadata/zotero-item.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { OutboundRequest } from "../../web/gate/request.ts";
import { readChoices } from "../../web/translation/choices.ts";
import { articleId, entryFromUrl } from "../listing/article-requests.ts";

/** Longer ones are no addresses; the one of the list stands for them. */
const maxUrlChars = 10_000;

/** One of several items of an answer. */
export interface IdentifiedZoteroItem {
  /** The item, and the notes that belong to it. */
  zoteroItems: ZoteroItem[];
  /** As a feed would have announced it. */
  entry: FeedEntry;
  /** Of its document: the same whichever answer of the run holds the item. */
  id: string;
}

/**
 * The items of an answer, each as a document of its own. Several may give the same address: they are told apart by what
 * they say of themselves, so that none takes the place of another. Whether they are one article is for the archive's rules.
 * @param listed what was asked for
 */
export function identifyZoteroItems(
  items: readonly ZoteroItem[][],
  { runId, sourceId, entry: listed }: { runId: string; sourceId: string; entry: FeedEntry },
): IdentifiedZoteroItem[] {
  const drafts = items.map((group, index) => buildEntry(group, listed, index));
  const draftsByUrl = Map.groupBy(drafts, ({ url }) => url);
  const occurrences = new Map<string, number>();
  return items.map((zoteroItems, index) => {
    let entry = drafts[index] as FeedEntry;
    if ((draftsByUrl.get(entry.url)?.length ?? 0) > 1) {
      const { doi = "", title = "" } = identifyingFields(zoteroItems[0]);
      const named = `${entry.url}#${digest(doi, title)}`;
      const previousCount = occurrences.get(named) ?? 0;
      occurrences.set(named, previousCount + 1);
      entry = { ...entry, id: previousCount === 0 ? named : `${named}-${previousCount}` };
    }
    return { zoteroItems, entry, id: articleId(runId, sourceId, entry.id) };
  });
}

function buildEntry([item]: ZoteroItem[], listed: FeedEntry, index: number): FeedEntry {
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

/** The choices that a request has posted, as entries: an article each; undefined when it has posted none. */
export async function loadPostedChoices(
  { translation, url }: Pick<OutboundRequest, "translation" | "url">,
  bodies: BodyReader,
): Promise<FeedEntry[] | undefined> {
  if (translation?.choicesKey === undefined) return undefined;
  const { items = {} } = readChoices(await bodies.load(translation.choicesKey)) ?? {};
  return Object.entries(items).map(([name, offered]) => {
    const title = typeof offered === "string" ? offered : (offered as { title?: unknown } | null)?.title;
    return {
      ...entryFromUrl((name || url).slice(0, maxUrlChars)),
      ...(typeof title === "string" && title !== "" && { title: truncateText(title) }),
    };
  });
}
