import { setTimeout as sleep } from "node:timers/promises";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { startHarvestNow } from "../../shared/harvest/oai/control-harvest.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { group } from "../../shared/records/sources/group.ts";
import { source } from "../../shared/records/sources/source.ts";
import { localGroup } from "../local-group.ts";
import { storeConfiguration } from "./run-delivery.ts";
import { demoPapersSource } from "./seed.ts";

/** The period of harvests, which equals that of the demo repository's changes. */
const harvestEveryMs = 15_000;
const pollMs = 1000;

/** The maximum number of changes that are printed in full; more are printed as a number. */
const maxLines = 3;

/**
 * Stores the demo's OAI-PMH source, harvests it often, and prints each change of a document until the signal
 * is aborted.
 */
export async function watchPapers(
  oaiUrl: string,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const papers = source.parse(demoPapersSource(oaiUrl));
  const { sourceId, title } = papers;
  await storeConfiguration([demoPapersSource(oaiUrl)]);
  const documents = documentStore();
  const ports = {
    runs: runStore(),
    requests: requestsQueue(),
    oaiHarvests: oaiHarvestStore(),
    clock: systemClock,
  };
  let lastChange = (await documents.listByChange(sourceId, { limit: 1 })).documents[0]?.changedAt ?? "";
  for (let nextMs = 0; !signal.aborted; ) {
    if (Date.now() >= nextMs) {
      nextMs = Date.now() + harvestEveryMs;
      await startHarvestNow(papers, group.parse(localGroup), { isFull: false }, ports);
    }
    const found = (await documents.listByChange(sourceId, { limit: 20 })).documents;
    const changed = found.filter(({ changedAt }) => changedAt > lastChange).reverse();
    lastChange = changed.at(-1)?.changedAt ?? lastChange;
    if (changed.length > maxLines) print(`${title}: ${changed.length} documents changed.`);
    else for (const document of changed) print(`${title}: ${document.identifier[0]} ${describe(document)}.`);
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

function describe({
  state,
  title,
  firstListedAt,
  changedAt,
}: {
  state: string;
  title?: string;
  firstListedAt: string;
  changedAt: string;
}): string {
  if (state === "deleted") return "is deleted";
  return `is ${firstListedAt === changedAt ? "new" : "changed"}: ${title ?? "without a title"}`;
}
