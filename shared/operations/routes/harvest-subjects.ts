import type { Subject } from "../../api/route.ts";
import { type GroupPorts, groupSubject } from "../../deliver/routes/group-routes.ts";
import { type PreviewPorts, previewSubject } from "../../deliver/routes/preview-routes.ts";
import { type QualityPorts, qualitySubject } from "../../deliver/routes/quality-routes.ts";
import { type RunPorts, runSubject } from "../../deliver/routes/run-routes.ts";
import { type SourceRunPorts, sourceRunSubject } from "../../deliver/routes/source-run-routes.ts";
import { type DetectionPorts, detectionSubject } from "../../harvest/routes/detection-routes.ts";
import { type DocumentPorts, documentSubject } from "../../harvest/routes/document-routes.ts";
import { type RecipePorts, recipeSubject } from "../../harvest/routes/recipe-routes.ts";
import {
  type RepositoryCheckPorts,
  repositoryCheckSubject,
} from "../../harvest/routes/repository-check-routes.ts";
import { type SourceHarvestPorts, sourceHarvestSubject } from "../../harvest/routes/source-harvest-routes.ts";
import { type SourcePorts, sourceSubject } from "../../harvest/routes/source-routes.ts";
import { type UploadPorts, uploadSubject } from "../../harvest/routes/upload-routes.ts";

export type HarvestApiPorts = DetectionPorts &
  RepositoryCheckPorts &
  RecipePorts &
  SourcePorts &
  SourceHarvestPorts &
  DocumentPorts &
  UploadPorts &
  PreviewPorts &
  GroupPorts &
  RunPorts &
  SourceRunPorts &
  QualityPorts;

/** The subjects of the API about sources and their harvests, for operators. */
export const harvestSubjects = [
  detectionSubject,
  repositoryCheckSubject,
  recipeSubject,
  sourceSubject,
  sourceHarvestSubject,
  documentSubject,
  uploadSubject,
  previewSubject,
  groupSubject,
  runSubject,
  sourceRunSubject,
  qualitySubject,
] satisfies Subject<HarvestApiPorts>[];
