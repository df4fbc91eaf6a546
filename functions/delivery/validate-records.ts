import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { stageQueue } from "../../shared/adapters/aws/queues.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { refusedStore } from "../../shared/deliver/stores/refused-store.ts";
import { validationRuleStore } from "../../shared/deliver/stores/validation-rule-store.ts";
import { validateRun } from "../../shared/deliver/validate/validate.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Ends the harvest of a run and validates its records. */
export const handler = stageHandler({
  stage: "validate",
  services: () => ({
    runs: runStore(),
    records: recordStore({ readsMany: true }),
    rules: validationRuleStore(),
    refusedRecords: refusedStore(),
    archive: archiveStore(),
    next: stageQueue("uploadQueue"),
    partsQueue: stageQueue("validateQueue"),
    clock: systemClock,
    maxArticlesOfHarvest: numberVariable("maxArticlesOfHarvest"),
    reports: stageQueue("reportsQueue"),
  }),
  handle: validateRun,
});
