import { type ArchivePorts, archiveSubject } from "./archive-routes.ts";
import { type DelinquentRecordPorts, delinquentRecordSubject } from "./delinquent-record-routes.ts";
import { type DeliveryPorts, deliverySubject } from "./delivery-routes.ts";
import { type RecordVersionPorts, recordVersionSubject } from "./record-version-routes.ts";
import { type RefusedQueuePorts, refusedQueueSubject } from "./refused-queue-routes.ts";
import { type ReportPorts, reportSubject } from "./report-routes.ts";
import { type ResendRoutePorts, resendSubject } from "./resend-routes.ts";
import type { Subject } from "./route.ts";
import { type RuleTrialPorts, ruleTrialSubject } from "./rule-trial-routes.ts";
import { type ValidationRulePorts, validationRuleSubject } from "./validation-rule-routes.ts";

export type DeliveryApiPorts = DeliveryPorts &
  ResendRoutePorts &
  ReportPorts &
  ArchivePorts &
  RecordVersionPorts &
  ValidationRulePorts &
  RuleTrialPorts &
  RefusedQueuePorts &
  DelinquentRecordPorts;

/** What operators are served about deliveries, their rules and their archive. */
export const deliverySubjects: Subject<DeliveryApiPorts>[] = [
  deliverySubject,
  resendSubject,
  reportSubject,
  archiveSubject,
  recordVersionSubject,
  validationRuleSubject,
  ruleTrialSubject,
  refusedQueueSubject,
  delinquentRecordSubject,
];
