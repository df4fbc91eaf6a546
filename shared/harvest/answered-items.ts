import { digest } from "../core/digest.ts";
import type { BodyStore } from "../ports.ts";
import type { OutboundRequest } from "../web/gate/request.ts";
import { readChoices } from "../web/translation/choices.ts";
import { articleId, bareEntry } from "./article-requests.ts";
import { told } from "./convert/conversion.ts";
import { escapedDoiUrl, statedDoi } from "./doi.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { addressesOf, type ZoteroItem } from "./item.ts";
import { webUrl } from "./web-address.ts";

/** Longer ones are no addresses; the one of the list stands for them. */
const mostAddressChars = 10_000;

/** One of several items of an answer. */
export interface AnsweredItem {
  /** The item, and the notes that belong to it. */
  group: ZoteroItem[];
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
export function answeredItems(
  items: readonly ZoteroItem[][],
  { runId, sourceId, entry: listed }: { runId: string; sourceId: string; entry: FeedEntry },
): AnsweredItem[] {
  const bare = items.map((group, index) => entryOf(group, listed, index));
  const atAddress = Map.groupBy(bare, ({ url }) => url);
  const met = new Map<string, number>();
  return items.map((group, index) => {
    let entry = bare[index] as FeedEntry;
    if ((atAddress.get(entry.url)?.length ?? 0) > 1) {
      const { doi = "", title = "" } = addressesOf(group[0]);
      const named = `${entry.url}#${digest(doi, title)}`;
      const before = met.get(named) ?? 0;
      met.set(named, before + 1);
      entry = { ...entry, id: before === 0 ? named : `${named}-${before}` };
    }
    return { group, entry, id: articleId(runId, sourceId, entry.id) };
  });
}

function entryOf([item]: ZoteroItem[], listed: FeedEntry, index: number): FeedEntry {
  const { doi, url, title } = addressesOf(item);
  const stated = statedDoi(doi);
  const own = [webUrl(url)?.href, stated && escapedDoiUrl(stated)].find(
    (address) => address !== undefined && address.length <= mostAddressChars,
  );
  return {
    ...bareEntry(own ?? `${listed.url}#${digest(title ?? "", String(index))}`),
    ...(title !== undefined && { title: told(title) }),
  };
}

/** The choices that a request has posted, as entries: an article each; undefined when it has posted none. */
export async function postedChoices(
  { translation, url }: Pick<OutboundRequest, "translation" | "url">,
  bodies: BodyStore,
): Promise<FeedEntry[] | undefined> {
  if (translation?.choicesKey === undefined) return undefined;
  const { items = {} } = readChoices(await bodies.body(translation.choicesKey)) ?? {};
  return Object.entries(items).map(([name, offered]) => {
    const title = typeof offered === "string" ? offered : (offered as { title?: unknown } | null)?.title;
    return {
      ...bareEntry((name || url).slice(0, mostAddressChars)),
      ...(typeof title === "string" && title !== "" && { title: told(title) }),
    };
  });
}
