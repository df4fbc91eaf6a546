import { setTimeout as sleep } from "node:timers/promises";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { pluralize } from "../../shared/core/pluralize.ts";
import {
  activateDefinition,
  createDefinition,
} from "../../shared/snapshots/definitions/change-definition.ts";
import { definitionInput } from "../../shared/snapshots/definitions/definition-input.ts";
import { isUnfinished } from "../../shared/snapshots/definitions/job.ts";
import type { SnapshotStore } from "../../shared/snapshots/definitions/snapshot-store.ts";
import type { IndexRequest } from "../../shared/snapshots/index/build/index-build.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";

const pollMs = 1000;

/** The title identifies the demo's definition after a restart. */
const title = "Snapshot of the demo journal";

/**
 * Stores a snapshot of the demo's site unless it exists, activates it, and prints the captures of its jobs.
 * Ends when the jobs end, or when the signal is aborted.
 */
export async function watchSnapshot(
  origin: string,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const snapshots = snapshotStore();
  const id = await activateDemoSnapshot(`${origin}/`, snapshots);
  print(`${title}: active; see the console.`);
  while (!signal.aborted) {
    const jobIds = (await snapshots.definition(id))?.definition.jobIds ?? [];
    const jobs = (await Promise.all(jobIds.map((jobId) => snapshots.job(jobId)))).filter(
      (job) => job !== undefined,
    );
    if (jobs.length > 0 && jobs.length === jobIds.length && !jobs.some(isUnfinished)) {
      for (const { id: jobId, state, objects, files } of jobs) {
        print(`${title}: job ${jobId} is ${state}, ${pluralize(objects, "URL")} in ${files.join(", ")}.`);
      }
      return;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Activates the definition. It may be repeated, because an active definition is not changed. @returns the id
 * of the definition
 */
async function activateDemoSnapshot(seed: string, snapshots: SnapshotStore): Promise<string> {
  const known = (await snapshots.definitions()).find((definition) => definition.title === title);
  const ports = {
    snapshots,
    indexRequests: messageQueue<IndexRequest>("indexRequestsQueue"),
    clock: systemClock,
  };
  const input = definitionInput.parse({
    title,
    type: "snapshot",
    seeds: [seed],
    limits: { maxObjects: 100 },
  });
  const definition = known ?? (await createDefinition(input, ports)).definition;
  if (definition.generation === 0) await activateDefinition(definition.id, ports);
  return definition.id;
}
