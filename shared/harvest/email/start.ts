import { digest } from "../../core/digest.ts";
import { openInTally, type StartSource } from "../listing/start-listings.ts";

/** EMAIL: sends no request. Queues the reading of the source's received messages, which `read-mail.ts` carries out. */
export const startMail: StartSource = async ({ sourceId }, { run: { runId } }, ports) => {
  const id = digest(runId, sourceId, "mail");
  await openInTally(runId, sourceId, [id], ports);
  await ports.mail.send({ id, runId, sourceId });
  return { type: "started" };
};
