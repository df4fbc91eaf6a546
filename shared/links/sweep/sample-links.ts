import { dayIn, dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { ExpectedDelayOf } from "../../web/gate/expected-delay.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import { checkMs } from "../capacity/host-plan.ts";
import { draftCheck } from "../check/link-check.ts";
import { type Collection, collectionStatusOf } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import type { RecordLink } from "../status/record-link.ts";
import type { LinkSamples } from "./link-samples.ts";

/**
 * The maximum number of links per day that are drawn from a collection, and that are requested from a host over all
 * collections.
 */
const dailyPerCollection = 20;
const dailyPerHost = 100;
/** The maximum share of a host's time that the samples of a day take. */
const hostShare = 0.1;
const collectionsAtOnce = 16;

interface SampleLinksPorts {
  collections: Pick<CollectionStore, "all" | "linkStatuses">;
  records: Pick<LinkRecords, "listInIdOrder">;
  samples: Pick<LinkSamples, "add" | "cursor" | "saveCursor">;
  requests: RequestQueue;
  delayOf: ExpectedDelayOf;
  networkIsDown(): Promise<boolean>;
  timeZone: string;
}

interface CollectionSample {
  collection: Collection;
  records: SampledRecord[];
}

/** The state of one day's drawing. */
interface SamplingDay {
  day: string;
  requestedAt: string;
  /** The number of links drawn so far, by host. */
  requestsByHost: Map<string, number>;
  ports: SampleLinksPorts;
}

type SampledRecord = Pick<RecordLink, "recordId" | "landingUrl" | "link">;

/**
 * Requests checks of links drawn at random from each collection. Ids of records are digests, so records with
 * consecutive ids are a random sample. Each day's drawing continues where the last one stopped, so that every record is
 * drawn once before any is drawn again. The order of the collections changes daily, so that each collection gets a turn
 * at a host's budget. A repetition on the same day requests nothing. Deleted records count as dead without a request.
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
  const sampled = collections
    .filter(
      (each) =>
        each.rule.active && collectionStatusOf(each, linkStatuses.get(each.collectionId)) === "active",
    )
    .sort((a, b) => (digest(day, a.collectionId) < digest(day, b.collectionId) ? -1 : 1));
  const requestsByHost = new Map<string, number>();
  const samples = await inParallel(
    sampled,
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
  for (const sample of samples) {
    if (sample !== undefined)
      requests += await requestSample(sample, { day, requestedAt: at.toISOString(), requestsByHost, ports });
  }
  return { network: "up", requests };
}

/** Returns the number of samples per day of a host, so that the samples leave time for other requests. */
function dailyShare(checkMs: number): number {
  return Math.min(dailyPerHost, Math.max(1, Math.floor((hostShare * dayMs) / checkMs)));
}

/**
 * Returns the records that follow the last drawn record. After the last record of the collection, continues with the
 * first.
 */
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

/**
 * Requests records until a host's budget is used up, and then stops: skipping records of that host would bias the
 * sample.
 */
async function requestSample(
  { collection, records }: CollectionSample,
  { day, requestedAt, requestsByHost, ports }: SamplingDay,
): Promise<number> {
  const { collectionId } = collection;
  const requests: NewRequest[] = [];
  const hosts: Record<string, number> = {};
  const mostOf = new Map<string, number>();
  for (const host of new Set(records.map(({ landingUrl }) => hostKeyOf(landingUrl))))
    mostOf.set(host, dailyShare(checkMs(await ports.delayOf(host), collection.rule)));
  let after: string | undefined;
  for (const { recordId, landingUrl, link } of records) {
    const host = hostKeyOf(landingUrl);
    const links = requestsByHost.get(host) ?? 0;
    if (links >= (mostOf.get(host) ?? dailyPerHost)) break;
    after = recordId;
    if (link?.status === "deleted") {
      // If deleted records were left out, the share would fall whenever links are deleted.
      await ports.samples.add({ collectionId, day, recordId, verdict: "broken" });
      continue;
    }
    requestsByHost.set(host, links + 1);
    hosts[host] = (hosts[host] ?? 0) + 1;
    const checkId = digest("estimate", recordId, day);
    const purpose = { type: "estimate" as const, day };
    const known = { rule: collection.rule, isSuppressed: link?.status === "suppressed" };
    const check = { checkId, recordId, collectionId, requestedAt, purpose, known };
    requests.push(draftCheck(landingUrl, check, collection));
  }
  if (after === undefined) return 0;
  await ports.requests.send(requests);
  await ports.samples.saveCursor(collectionId, { day, after, hosts });
  return requests.length;
}
