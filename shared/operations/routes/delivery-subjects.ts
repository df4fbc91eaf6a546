import type { Subject } from "../../api/route.ts";
import { type ArchivePorts, archiveSubject } from "../../deliver/routes/archive-routes.ts";
import { type DeliveryPorts, deliverySubject } from "../../deliver/routes/delivery-routes.ts";
import { type RecordOriginPorts, recordOriginSubject } from "../../deliver/routes/record-origin-routes.ts";
import { type RecordVersionPorts, recordVersionSubject } from "../../deliver/routes/record-version-routes.ts";
import { type RefusedQueuePorts, refusedQueueSubject } from "../../deliver/routes/refused-queue-routes.ts";
import { type RefusedRecordPorts, refusedRecordSubject } from "../../deliver/routes/refused-record-routes.ts";
import { type ResendRoutePorts, resendSubject } from "../../deliver/routes/resend-routes.ts";
import { type RuleTrialPorts, ruleTrialSubject } from "../../deliver/routes/rule-trial-routes.ts";
import {
  type ValidationRulePorts,
  validationRuleSubject,
} from "../../deliver/routes/validation-rule-routes.ts";
import { type ReportPorts, reportSubject } from "./report-routes.ts";

export type DeliveryApiPorts = DeliveryPorts &
  ResendRoutePorts &
  ReportPorts &
  ArchivePorts &
  RecordOriginPorts &
  RecordVersionPorts &
  ValidationRulePorts &
  RuleTrialPorts &
  RefusedQueuePorts &
  RefusedRecordPorts;

/** The subjects of the API about deliveries, their rules and their archive, for operators. */
export const deliverySubjects = [
  deliverySubject,
  resendSubject,
  reportSubject,
  archiveSubject,
  recordVersionSubject,
  recordOriginSubject,
  validationRuleSubject,
  ruleTrialSubject,
  refusedQueueSubject,
  refusedRecordSubject,
] satisfies Subject<DeliveryApiPorts>[];
