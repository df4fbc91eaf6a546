import { variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { leaseStore } from "../../shared/adapters/aws/lease-store.ts";
import { stageQueue } from "../../shared/adapters/aws/queues.ts";
import { secrets } from "../../shared/adapters/aws/secrets.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { deliveryStore } from "../../shared/deliver/stores/delivery-store.ts";
import { sftp } from "../../shared/deliver/stores/sftp.ts";
import { uploadRun } from "../../shared/deliver/upload/upload.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Writes the valid records of a run into the files of their groups, and delivers them. */
export const handler = stageHandler({
  stage: "upload",
  services: () => ({
    runs: runStore(),
    records: recordStore({ readsMany: true }),
    archive: archiveStore(),
    sources: sourceStore(),
    deliveries: deliveryStore(),
    leases: leaseStore(),
    sftp: sftp(secrets()),
    events: events(),
    next: stageQueue("archiveQueue"),
    partsQueue: stageQueue("uploadQueue"),
    reports: stageQueue("reportsQueue"),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: uploadRun,
});
