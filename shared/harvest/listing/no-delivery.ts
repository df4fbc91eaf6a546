import type { StageQueue } from "../../records/runs/stages.ts";

/** The queue of deliveries for polls. A poll is a long harvest, which deliveries join; it never starts a delivery. */
export const noDelivery: StageQueue = {
  send: async ({ runId }) => {
    throw new TypeError(`${runId} is a harvest, and must not start a delivery`);
  },
};
