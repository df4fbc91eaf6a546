import { setTimeout as sleep } from "node:timers/promises";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { changeTypeOf } from "../../shared/links/status/statistics.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import type { MarcRecord } from "../../shared/marc/record.ts";
import { functionNames } from "../../shared/names.ts";
import type { LocalCloud } from "../cloud/cloud.ts";
import { rottenPageXPath, rottingSitePaths } from "../demo/rotting-site.ts";
import { localGroup } from "../local-group.ts";
import { storeCollection } from "./run-delivery.ts";
import { runOften } from "./run-often.ts";

const collectionId = "demo-rotting-site";
const title = "The Vanishing Calendar";
const pollIntervalMs = 1000;

/** The sweep period in production. `recheckDelaysHours` is shortened in the same proportion. */
const sweepMs = 2 * 3_600_000;

/**
 * Stores a collection whose records link to a site, and sweeps it more often than in production, so that
 * users can see it being suppressed and restored. Prints each change until the signal is aborted.
 */
export async function watchRottingCollection(
  origin: string,
  options: { cloud: LocalCloud; everyMs: number; print: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const { cloud, everyMs, print, signal } = options;
  const recheckDelaysHours = [1, 8, 64].map((hours) => (hours * everyMs) / sweepMs);
  const rule = { xpath: rottenPageXPath, throttleSeconds: 0.1 };
  await storeCollection({ collectionId, title, rule }, { recheckDelaysHours });
  await storeRecords(origin);
  const collections = collectionStore();
  let lastStatus = (await collections.linkStatus(collectionId))?.status ?? "active";
  const sweeping = runOften(functionNames.sweepCollections, everyMs, { cloud, signal });
  while (!signal.aborted) {
    const linkStatus = await collections.linkStatus(collectionId);
    if (linkStatus !== undefined && linkStatus.status !== lastStatus) {
      print(`${title} is ${changeTypeOf(linkStatus.status)}: ${linkStatus.reason}.`);
      lastStatus = linkStatus.status;
    }
    await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
  await sweeping;
}

/** Stores the collection's records as a harvest does. Storing them again has no effect. */
async function storeRecords(origin: string): Promise<void> {
  const records = recordStore();
  for (const [index, path] of rottingSitePaths.entries()) {
    const name = path.slice(1);
    const recordId = `${collectionId}-${name}`;
    const marc: MarcRecord = {
      leader: "00000naa a22000002u 4500",
      control: [],
      fields: [["245", "00", [["a", `${title}: ${name}`]]]],
    };
    await records.save({
      recordId,
      sourceId: collectionId,
      groupId: localGroup.groupId,
      collectionId,
      runId: `rotting-site-${origin}`,
      deliveryMode: "LIVE",
      title: `${title}: ${name}`,
      landingUrl: origin + path,
      syndicatedAt: new Date(Date.UTC(2026, index * 3)).toISOString(),
      hash: name,
      recordKey: await records.storeMarc(recordId, marc),
      state: "harvested",
      updatedAt: new Date().toISOString(),
    });
  }
}
