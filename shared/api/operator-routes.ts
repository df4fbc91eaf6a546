import type { TodayPorts } from "../today/today.ts";
import { type ArchivePorts, archiveSubject } from "./archive-routes.ts";
import { type CollectionPorts, collectionSubject } from "./collection-routes.ts";
import { type ConfigurationPorts, configurationSubject } from "./configuration-routes.ts";
import {
  type ConfigurationVersionPorts,
  configurationVersionSubject,
} from "./configuration-version-routes.ts";
import { type DelinquentRecordPorts, delinquentRecordSubject } from "./delinquent-record-routes.ts";
import { type DeliveryPorts, deliverySubject } from "./delivery-routes.ts";
import { type DetectionPorts, detectionSubject } from "./detection-routes.ts";
import { type DocumentPorts, documentSubject } from "./document-routes.ts";
import { type EventPorts, eventSubject } from "./event-routes.ts";
import { type GroupPorts, groupSubject } from "./group-routes.ts";
import { type HostPorts, hostSubject } from "./host-routes.ts";
import { type LinkPorts, linkSubject } from "./link-routes.ts";
import { type MailPorts, mailSubject } from "./mail-routes.ts";
import { type PreviewPorts, previewSubject } from "./preview-routes.ts";
import { type RecordVersionPorts, recordVersionSubject } from "./record-version-routes.ts";
import { type RefusedQueuePorts, refusedQueueSubject } from "./refused-queue-routes.ts";
import { type ReportPorts, reportSubject } from "./report-routes.ts";
import { type ResendRoutePorts, resendSubject } from "./resend-routes.ts";
import type { Subject } from "./route.ts";
import { type RuleTrialPorts, ruleTrialSubject } from "./rule-trial-routes.ts";
import { type RunPorts, runSubject } from "./run-routes.ts";
import { type SourceHarvestPorts, sourceHarvestSubject } from "./source-harvest-routes.ts";
import { type SourcePorts, sourceSubject } from "./source-routes.ts";
import { type SourceRunPorts, sourceRunSubject } from "./source-run-routes.ts";
import { todaySubject } from "./today-routes.ts";
import { type UploadPorts, uploadSubject } from "./upload-routes.ts";
import { type ValidationRulePorts, validationRuleSubject } from "./validation-rule-routes.ts";

export type OperatorPorts = ConfigurationPorts &
  TodayPorts &
  ConfigurationVersionPorts &
  GroupPorts &
  CollectionPorts &
  LinkPorts &
  ValidationRulePorts &
  RuleTrialPorts &
  RefusedQueuePorts &
  DelinquentRecordPorts &
  ArchivePorts &
  SourcePorts &
  SourceHarvestPorts &
  DetectionPorts &
  PreviewPorts &
  RunPorts &
  SourceRunPorts &
  HostPorts &
  MailPorts &
  RecordVersionPorts &
  EventPorts &
  DeliveryPorts &
  ResendRoutePorts &
  DocumentPorts &
  UploadPorts &
  ReportPorts;

/** What the function for operators serves, in the order of the documents. */
export const operatorSubjects: Subject<OperatorPorts>[] = [
  todaySubject,
  configurationSubject,
  configurationVersionSubject,
  detectionSubject,
  sourceSubject,
  sourceHarvestSubject,
  documentSubject,
  uploadSubject,
  previewSubject,
  groupSubject,
  runSubject,
  sourceRunSubject,
  deliverySubject,
  resendSubject,
  reportSubject,
  archiveSubject,
  recordVersionSubject,
  validationRuleSubject,
  ruleTrialSubject,
  refusedQueueSubject,
  delinquentRecordSubject,
  collectionSubject,
  linkSubject,
  hostSubject,
  mailSubject,
  eventSubject,
];
