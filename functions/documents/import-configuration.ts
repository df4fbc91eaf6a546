import { leaseStore } from "../../shared/adapters/aws/lease-store.ts";
import { configurationHistory } from "../../shared/adapters/records/configuration-history.ts";
import { configurationStore } from "../../shared/adapters/records/configuration-store.ts";
import { importJobStore } from "../../shared/adapters/records/import-job-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { qualityStore } from "../../shared/deliver/stores/quality-store.ts";
import { importMessage, runImport, stopImport } from "../../shared/records/sources/conf/import-job.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Applies imports of configurations with many changes. */
export const handler = sqsHandler({
  message: importMessage,
  services: () => ({
    configuration: configurationStore(),
    configurationHistory: configurationHistory(),
    imports: importJobStore(),
    leases: leaseStore(),
    quality: qualityStore(),
    clock: systemClock,
  }),
  handle: runImport,
  settle: stopImport,
});
