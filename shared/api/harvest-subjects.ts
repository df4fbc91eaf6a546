import { type DetectionPorts, detectionSubject } from "./detection-routes.ts";
import { type DocumentPorts, documentSubject } from "./document-routes.ts";
import { type GroupPorts, groupSubject } from "./group-routes.ts";
import { type PreviewPorts, previewSubject } from "./preview-routes.ts";
import type { Subject } from "./route.ts";
import { type RunPorts, runSubject } from "./run-routes.ts";
import { type SourceHarvestPorts, sourceHarvestSubject } from "./source-harvest-routes.ts";
import { type SourcePorts, sourceSubject } from "./source-routes.ts";
import { type SourceRunPorts, sourceRunSubject } from "./source-run-routes.ts";
import { type UploadPorts, uploadSubject } from "./upload-routes.ts";

export type HarvestApiPorts = DetectionPorts &
  SourcePorts &
  SourceHarvestPorts &
  DocumentPorts &
  UploadPorts &
  PreviewPorts &
  GroupPorts &
  RunPorts &
  SourceRunPorts;

/** What operators are served about sources and their harvests. */
export const harvestSubjects: Subject<HarvestApiPorts>[] = [
  detectionSubject,
  sourceSubject,
  sourceHarvestSubject,
  documentSubject,
  uploadSubject,
  previewSubject,
  groupSubject,
  runSubject,
  sourceRunSubject,
];
