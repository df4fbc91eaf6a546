import { digest } from "../../core/digest.ts";
import { openInTally, type StartSource } from "../listing/start-listings.ts";

/** FOLDER: sends no request to a host. `upload/read-folder.ts` reads the folder as an upload. */
export const startFolder: StartSource = async ({ sourceId }, { run }, ports) => {
  if (run.harvestOf === undefined || ports.folders === undefined) {
    return { type: "problem", problem: "a source of the type FOLDER is read by polls" };
  }
  const { runId, startedAt } = run;
  const uploadId = digest(runId, sourceId, "folder");
  await openInTally(runId, sourceId, [uploadId], ports);
  await ports.folders.send({ uploadId, folder: { sourceId, runId, startedAt } });
  return { type: "started" };
};
