import { closeSource } from "../../records/runs/completion.ts";
import type { StartSource } from "../listing/start-listings.ts";

/** Uploads: nothing is requested. A delivery takes what has been uploaded, each upload as a long harvest of its own. */
export const startUpload: StartSource = async ({ sourceId }, { run }, ports) => {
  await closeSource(run.runId, sourceId, ports);
  return { type: "started" };
};
