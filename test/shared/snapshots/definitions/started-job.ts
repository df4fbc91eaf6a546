import type { SnapshotStore } from "../../../../shared/snapshots/definitions/snapshot-store.ts";

export const startedAt = new Date("2026-11-22T12:00:00Z");

/** Stores the active definition `d` of this seed, and its job 1, which has started. */
export async function storeStartedJob(snapshots: SnapshotStore, seed: string): Promise<void> {
  await snapshots.create({
    id: "d",
    title: "D",
    type: "selective",
    seeds: [seed],
    limits: { maxObjects: 10, maxBytes: 1000, maxObjectBytes: 1000, maxDepth: 1, maxMinutes: 5 },
    deduplicate: false,
    deduplicateText: false,
    minimumShare: 0.7,
    isActive: true,
    createdAt: startedAt,
    generation: 1,
    jobIds: [1],
    history: [],
  });
  await snapshots.addJob({
    id: 1,
    definitionId: "d",
    state: "started",
    seeds: [seed],
    createdAt: startedAt,
    startedAt,
    hasCrawlLog: false,
    objects: 0,
    bytes: 0,
    files: [],
  });
}
