import { sourceStore } from "../../shared/aws/config/source-store.ts";
import { archiveStore } from "../../shared/aws/delivery/archive-store.ts";
import { deliveryStore } from "../../shared/aws/delivery/delivery-store.ts";
import { sftp } from "../../shared/aws/delivery/sftp.ts";
import { variable } from "../../shared/aws/environment.ts";
import { events } from "../../shared/aws/events.ts";
import { recordStore } from "../../shared/aws/harvest/record-store.ts";
import { runStore } from "../../shared/aws/harvest/run-store.ts";
import { stageQueue } from "../../shared/aws/queues.ts";
import { secrets } from "../../shared/aws/secrets.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { uploadRun } from "../../shared/delivery/upload/upload.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Puts the valid records of a run into the files of their groups. */
export const handler = stageHandler({
  stage: "upload",
  services: () => ({
    runs: runStore(),
    records: recordStore(),
    archive: archiveStore(),
    sources: sourceStore(),
    deliveries: deliveryStore(),
    sftp: sftp(secrets()),
    events: events(),
    next: stageQueue("archiveQueue"),
    reports: stageQueue("reportsQueue"),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: uploadRun,
});
