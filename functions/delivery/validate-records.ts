import { stageQueue } from "../../shared/aws/queues.ts";
import { recordStore } from "../../shared/aws/record-store.ts";
import { runStore } from "../../shared/aws/run-store.ts";
import { validateRun } from "../../shared/delivery/validate.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Ends the harvest of a run and checks its records. */
export const handler = stageHandler({
  stage: "validate",
  services: () => ({
    runs: runStore(),
    records: recordStore(),
    next: stageQueue("uploadQueue"),
    reports: stageQueue("reportsQueue"),
  }),
  handle: validateRun,
});
