import { validationRuleStore } from "../../shared/adapters/aws/config/validation-rule-store.ts";
import { archiveStore } from "../../shared/adapters/aws/delivery/archive-store.ts";
import { delinquentStore } from "../../shared/adapters/aws/delivery/delinquent-store.ts";
import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { recordStore } from "../../shared/adapters/aws/harvest/record-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { stageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { validateRun } from "../../shared/deliver/validate/validate.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Ends the harvest of a run and validates its records. */
export const handler = stageHandler({
  stage: "validate",
  services: () => ({
    runs: runStore(),
    records: recordStore({ readsMany: true }),
    rules: validationRuleStore(),
    delinquents: delinquentStore(),
    archive: archiveStore(),
    next: stageQueue("uploadQueue"),
    partsQueue: stageQueue("validateQueue"),
    clock: systemClock,
    maxArticlesOfHarvest: numberVariable("maxArticlesOfHarvest"),
    reports: stageQueue("reportsQueue"),
  }),
  handle: validateRun,
});
