import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { jobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import { capturePackages } from "../../shared/snapshots/stores/snapshot-files.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";
import { packCapture } from "../../shared/snapshots/wacz/pack-capture.ts";

/** Packs a capture as WACZ, for viewers. */
export const handler = sqsHandler({
  message: jobMessage,
  services: () => ({ snapshots: snapshotStore(), ...capturePackages(), clock: systemClock }),
  handle: packCapture,
});
