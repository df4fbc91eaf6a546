import { dayIn } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { NewRequest, RequestQueue } from "../../web/gate/request.ts";
import { draftCheck } from "../check/link-check.ts";
import { type Collection, collectionStatusOf } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import type { RecordLink } from "../status/record-link.ts";
import type { LinkSamples } from "./link-samples.ts";

/** How many links a day are drawn from a collection, and asked of a host, whatever collections it is in. */
const dailyPerCollection = 20;
const dailyPerHost = 100;
const collectionsAtOnce = 16;

export interface SampleLinksPorts {
  collections: Pick<CollectionStore, "all" | "linkStatuses">;
  records: Pick<LinkRecords, "listInIdOrder">;
  samples: Pick<LinkSamples, "add" | "cursor" | "saveCursor">;
  requests: RequestQueue;
  networkIsDown(): Promise<boolean>;
  timeZone: string;
}

interface CollectionSample {
  collection: Collection;
  records: SampledRecord[];
}

/** The drawing of one day. */
interface SamplingDay {
  day: string;
  askedAt: string;
  /** Links drawn so far, by host. */
  requestsByHost: Map<string, number>;
  ports: SampleLinksPorts;
}

type SampledRecord = Pick<RecordLink, "recordId" | "landingUrl" | "link">;

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
  const [{ collections }, linkStatuses] = await Promise.all([
    ports.collections.all(),
    ports.collections.linkStatuses(),
  ]);
  const wanted = collections
    .filter(
      (each) =>
        each.rule.active && collectionStatusOf(each, linkStatuses.get(each.collectionId)) === "active",
    )
    .sort((a, b) => (digest(day, a.collectionId) < digest(day, b.collectionId) ? -1 : 1));
  const requestsByHost = new Map<string, number>();
  const draws = await inParallel(
    wanted,
    collectionsAtOnce,
    async (collection): Promise<CollectionSample | undefined> => {
      const cursor = await ports.samples.cursor(collection.collectionId);
      if (cursor?.day !== day) {
        return { collection, records: await nextRecords(collection.collectionId, cursor?.after, ports) };
      }
      for (const [host, links] of Object.entries(cursor.hosts))
        requestsByHost.set(host, (requestsByHost.get(host) ?? 0) + links);
      return undefined;
    },
  );
  let requests = 0;
  for (const draw of draws) {
    if (draw !== undefined)
      requests += await requestSample(draw, { day, askedAt: at.toISOString(), requestsByHost, ports });
  }
  return { network: "up", requests };
}

/** The records after the last one drawn; after the last one of all it begins anew. */
async function nextRecords(
  collectionId: string,
  after: string | undefined,
  { records }: Pick<SampleLinksPorts, "records">,
): Promise<SampledRecord[]> {
  const next = await records.listInIdOrder(collectionId, { after, limit: dailyPerCollection });
  if (next.length === dailyPerCollection || after === undefined) return next;
  const first = await records.listInIdOrder(collectionId, { limit: dailyPerCollection - next.length });
  const known = new Set(next.map(({ recordId }) => recordId));
  return [...next, ...first.filter(({ recordId }) => !known.has(recordId))];
}

/** Asks for records as far as the budgets of their hosts go: to pass one over would make the sample less random. */
async function requestSample(
  { collection, records }: CollectionSample,
  { day, askedAt, requestsByHost, ports }: SamplingDay,
): Promise<number> {
  const { collectionId } = collection;
  const requests: NewRequest[] = [];
  const hosts: Record<string, number> = {};
  let after: string | undefined;
  for (const { recordId, landingUrl, link } of records) {
    const host = hostKeyOf(landingUrl);
    const links = requestsByHost.get(host) ?? 0;
    if (links >= dailyPerHost) break;
    after = recordId;
    if (link?.status === "deleted") {
      // It is not asked any more, and is no less dead: without it the share would fall whenever links are given up.
      await ports.samples.add({ collectionId, day, recordId, verdict: "broken" });
      continue;
    }
    requestsByHost.set(host, links + 1);
    hosts[host] = (hosts[host] ?? 0) + 1;
    const checkId = digest("estimate", recordId, day);
    const purpose = { type: "estimate" as const, day };
    const known = { rule: collection.rule, isSuppressed: link?.status === "suppressed" };
    const check = { checkId, recordId, collectionId, askedAt, purpose, known };
    requests.push(draftCheck(landingUrl, check, collection));
  }
  if (after === undefined) return 0;
  await ports.requests.send(requests);
  await ports.samples.saveCursor(collectionId, { day, after, hosts });
  return requests.length;
}
