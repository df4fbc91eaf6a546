import { listVariable, optionalVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { stageQueue } from "../../shared/adapters/aws/queues.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStatusStore } from "../../shared/adapters/records/source-status-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sendReport } from "../../shared/deliver/report/send-report.ts";
import { qualityStore } from "../../shared/deliver/stores/quality-store.ts";
import { sourceRunStore } from "../../shared/deliver/stores/source-run-store.ts";
import { loggedFaults } from "../../shared/names.ts";
import { log } from "../../shared/runtime/log.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Mails the report of a run, and marks the run finished. */
export const handler = stageHandler({
  stage: "report",
  services: () => ({
    runs: runStore(),
    sources: sourceStore(),
    status: sourceStatusStore(),
    sourceRuns: sourceRunStore(),
    quality: qualityStore(),
    mailer: mailer(),
    events: events(),
    reports: stageQueue("reportsQueue"),
    clock: systemClock,
    recipients: listVariable("mailTo"),
    timeZone: variable("timeZone"),
    filesUrl: variable("deliveriesUrl"),
    consoleUrl: optionalVariable("consoleUrl"),
    reportNothingDelivered: (runId: string, reason: string) =>
      log("error", loggedFaults.nothingDelivered, { runId, detail: reason }),
  }),
  handle: sendReport,
});
