import type { OperatorPorts } from "./operator-routes.ts";
import type { Subject } from "./route.ts";

/**
 * What the function for operators loads for a request: the subjects below the first segment of its path. A cold start with all
 * of them would take twice as long.
 */
export const operatorParts: Readonly<Record<string, () => Promise<Subject<OperatorPorts>[]>>> = {
  today: async () => [(await import("./today-routes.ts")).todaySubject],
  config: async () => [
    (await import("./configuration-routes.ts")).configurationSubject,
    (await import("./configuration-version-routes.ts")).configurationVersionSubject,
  ],
  detections: async () => [(await import("./detection-routes.ts")).detectionSubject],
  sources: async () => [
    (await import("./source-routes.ts")).sourceSubject,
    (await import("./source-harvest-routes.ts")).sourceHarvestSubject,
    (await import("./document-routes.ts")).documentSubject,
    (await import("./preview-routes.ts")).previewSubject,
    (await import("./source-run-routes.ts")).sourceRunSubject,
  ],
  documents: async () => [(await import("./upload-routes.ts")).uploadSubject],
  groups: async () => [(await import("./group-routes.ts")).groupSubject],
  runs: async () => [
    (await import("./run-routes.ts")).runSubject,
    (await import("./source-run-routes.ts")).sourceRunSubject,
  ],
  deliveries: async () => [
    (await import("./delivery-routes.ts")).deliverySubject,
    (await import("./resend-routes.ts")).resendSubject,
  ],
  reports: async () => [(await import("./report-routes.ts")).reportSubject],
  archive: async () => [(await import("./archive-routes.ts")).archiveSubject],
  "archive-titles": async () => [(await import("./archive-routes.ts")).archiveSubject],
  records: async () => [
    (await import("./record-version-routes.ts")).recordVersionSubject,
    (await import("./link-routes.ts")).linkSubject,
  ],
  "validation-rules": async () => [
    (await import("./validation-rule-routes.ts")).validationRuleSubject,
    (await import("./rule-trial-routes.ts")).ruleTrialSubject,
  ],
  "delinquent-records": async () => [
    (await import("./refused-queue-routes.ts")).refusedQueueSubject,
    (await import("./delinquent-record-routes.ts")).delinquentRecordSubject,
  ],
  collections: async () => [(await import("./collection-routes.ts")).collectionSubject],
  rules: async () => [(await import("./link-routes.ts")).linkSubject],
  hosts: async () => [(await import("./host-routes.ts")).hostSubject],
  mails: async () => [(await import("./mail-routes.ts")).mailSubject],
  events: async () => [(await import("./event-routes.ts")).eventSubject],
};
