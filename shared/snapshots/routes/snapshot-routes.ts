import type { Subject } from "../../api/route.ts";
import { type CaptureJobPorts, captureJobSubject } from "./capture-job-routes.ts";
import { harvestDefinitionSubject } from "./harvest-definition-routes.ts";
import { type SnapshotIndexPorts, snapshotIndexSubject } from "./snapshot-index-routes.ts";

export type SnapshotPorts = CaptureJobPorts & SnapshotIndexPorts;

/** The routes of the function for web snapshots, in the order of the documents. */
export const snapshotSubjects = [
  harvestDefinitionSubject,
  snapshotIndexSubject,
  captureJobSubject,
] satisfies Subject<SnapshotPorts>[];
