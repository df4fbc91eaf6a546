import type { StageQueue } from "../../records/runs/stages.ts";

/** A poll is a long harvest: deliveries join it, it starts none. */
export const noDelivery: StageQueue = {
  send: async ({ runId }) => {
    throw new TypeError(`${runId} is a harvest, and must not start a delivery`);
  },
};
