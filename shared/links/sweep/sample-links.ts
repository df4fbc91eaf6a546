import { dayIn } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { CollectionStore, LinkRecords, LinkSamples, Requests } from "../../ports.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import { draftCheck } from "../check/link-check.ts";
import { type Collection, statusOf } from "../fate/collection.ts";
import type { LinkedRecord } from "../fate/linked-record.ts";

/** How many links a day are drawn from a collection, and asked of a host, whatever collections it is in. */
const dailyPerCollection = 20;
const dailyPerHost = 100;
const collectionsAtOnce = 16;

/** Where the drawing from a collection has come to. */
export interface SampleCursor {
  /** The day of the last drawing. */
  day: string;
  /** The last record drawn. */
  after: string;
  /** How many links of each host were drawn that day. */
  hosts: Record<string, number>;
}

export interface SampleLinksPorts {
  collections: Pick<CollectionStore, "all" | "fates">;
  records: Pick<LinkRecords, "byDigest">;
  samples: Pick<LinkSamples, "add" | "cursor" | "moveCursor">;
  requests: Requests;
  networkIsDown(): Promise<boolean>;
  timeZone: string;
}

interface Draw {
  collection: Collection;
  records: Drawn[];
}

/** The drawing of one day. */
interface Drawing {
  day: string;
  askedAt: string;
  /** Links drawn so far, by host. */
  spent: Map<string, number>;
  ports: SampleLinksPorts;
}

type Drawn = Pick<LinkedRecord, "recordId" | "landingUrl" | "link">;

/**
 * Has some links of each collection checked that were drawn at random. Ids of records are digests, so those that follow
 * each other by id are a random sample; by going on every day where it stopped, the sample comes round to every record
 * before any twice. The collections take turns in being first at a host's budget. Drawn again on the same day, nothing
 * more is asked. What is deleted counts as dead, unasked.
 */
export async function sampleLinks(
  at: Date,
  ports: SampleLinksPorts,
): Promise<{ network: "up" | "down"; requests: number }> {
  if (await ports.networkIsDown()) return { network: "down", requests: 0 };
  const day = dayIn(ports.timeZone, at);
  const [{ collections }, fates] = await Promise.all([ports.collections.all(), ports.collections.fates()]);
  const wanted = collections
    .filter((each) => each.rule.active && statusOf(each, fates.get(each.collectionId)) === "active")
    .sort((a, b) => (digest(day, a.collectionId) < digest(day, b.collectionId) ? -1 : 1));
  const spent = new Map<string, number>();
  const draws = await inParallel(wanted, collectionsAtOnce, async (collection): Promise<Draw | undefined> => {
    const cursor = await ports.samples.cursor(collection.collectionId);
    if (cursor?.day !== day) {
      return { collection, records: await nextRecords(collection.collectionId, cursor?.after, ports) };
    }
    for (const [host, links] of Object.entries(cursor.hosts)) spent.set(host, (spent.get(host) ?? 0) + links);
    return undefined;
  });
  let requests = 0;
  for (const draw of draws) {
    if (draw !== undefined) requests += await take(draw, { day, askedAt: at.toISOString(), spent, ports });
  }
  return { network: "up", requests };
}

/** The records after the last one drawn; after the last one of all it begins anew. */
async function nextRecords(
  collectionId: string,
  after: string | undefined,
  { records }: Pick<SampleLinksPorts, "records">,
): Promise<Drawn[]> {
  const next = await records.byDigest(collectionId, { after, limit: dailyPerCollection });
  if (next.length === dailyPerCollection || after === undefined) return next;
  const first = await records.byDigest(collectionId, { limit: dailyPerCollection - next.length });
  const known = new Set(next.map(({ recordId }) => recordId));
  return [...next, ...first.filter(({ recordId }) => !known.has(recordId))];
}

/** Asks for records as far as the budgets of their hosts go: to pass one over would make the sample less random. */
async function take({ collection, records }: Draw, { day, askedAt, spent, ports }: Drawing): Promise<number> {
  const { collectionId } = collection;
  const requests: NewRequest[] = [];
  const hosts: Record<string, number> = {};
  let after: string | undefined;
  for (const { recordId, landingUrl, link } of records) {
    const host = hostKeyOf(landingUrl);
    const links = spent.get(host) ?? 0;
    if (links >= dailyPerHost) break;
    after = recordId;
    if (link?.status === "deleted") {
      // It is not asked any more, and is no less dead: without it the share would fall whenever links are given up.
      await ports.samples.add({ collectionId, day, recordId, verdict: "broken" });
      continue;
    }
    spent.set(host, links + 1);
    hosts[host] = (hosts[host] ?? 0) + 1;
    const checkId = digest("estimate", recordId, day);
    const purpose = { type: "estimate" as const, day };
    const known = { rule: collection.rule, isSuppressed: link?.status === "suppressed" };
    const check = { checkId, recordId, collectionId, askedAt, purpose, known };
    requests.push(draftCheck(landingUrl, check, collection));
  }
  if (after === undefined) return 0;
  await ports.requests.send(requests);
  await ports.samples.moveCursor(collectionId, { day, after, hosts });
  return requests.length;
}
