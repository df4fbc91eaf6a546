import { configurationHistory } from "../../shared/adapters/aws/config/configuration-history.ts";
import { configurationStore } from "../../shared/adapters/aws/config/configuration-store.ts";
import { importJobStore } from "../../shared/adapters/aws/config/import-job-store.ts";
import { leaseStore } from "../../shared/adapters/aws/lease-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { importMessage, runImport } from "../../shared/records/sources/conf/import-job.ts";

/** Applies imports of configurations with many changes. */
export const handler = sqsHandler({
  message: importMessage,
  services: () => ({
    configuration: configurationStore(),
    configurationHistory: configurationHistory(),
    imports: importJobStore(),
    leases: leaseStore(),
    clock: systemClock,
  }),
  handle: runImport,
});
