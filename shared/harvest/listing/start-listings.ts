import type { Run } from "../../records/runs/run.ts";
import { sourceTallyName } from "../../records/runs/tally-names.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";
import type { NewRequest } from "../../web/request/request.ts";
import type { OaiHarvestStore } from "../oai-state/harvest-state.ts";
import type { RequestPolicy } from "../request-policy.ts";
import type { MailReadingQueue } from "./received-mail.ts";
import { claimNewRequests, type ListingPorts } from "./select-articles.ts";

/**
 * Starts the harvest of one source: opens its first ids in the source's tally, then sends the first requests. The
 * folder of each source type exports one such function; `source-types.ts` lists them. A repeated start must not request
 * anything twice.
 */
export type StartSource = (
  source: Source,
  context: StartSourceContext,
  ports: StartSourcePorts,
) => Promise<StartResult>;

type StartResult =
  | { type: "started" }
  /** The configuration of the source is incomplete; the run reports the problem. */
  | { type: "problem"; problem: string };

interface StartSourceContext {
  run: Run;
  group: Group;
  requestPolicy: RequestPolicy;
  /** The id under which the start itself stores outcomes and claims requests. */
  listingId: string;
}

export interface StartSourcePorts extends ListingPorts {
  mail: MailReadingQueue;
  oaiHarvests: OaiHarvestStore;
  /** The queue for reading folders; absent where no folder is read. */
  folders?: FolderReadings;
}

/** Queues the reading of a folder as an upload. */
interface FolderReadings {
  send(message: {
    uploadId: string;
    folder: { sourceId: string; runId: string; startedAt: string };
  }): Promise<void>;
}

/**
 * Opens and sends the requests for the first listings of a source. The requests are claimed, because a page may link to
 * the first page again.
 */
export async function startListings(
  requests: NewRequest[],
  { sourceId }: Source,
  { run: { runId }, listingId }: StartSourceContext,
  ports: StartSourcePorts,
): Promise<StartResult> {
  const claimed = await claimNewRequests(requests, { runId, sourceId, listingId }, ports.runs);
  await openInTally(
    runId,
    sourceId,
    claimed.map(({ id }) => id),
    ports,
  );
  await ports.requests.send(claimed);
  return { type: "started" };
}

/** Opens ids in the tally of a source. The source is complete when all of them are closed. */
export async function openInTally(
  runId: string,
  sourceId: string,
  ids: string[],
  { runs }: Pick<StartSourcePorts, "runs">,
): Promise<void> {
  await runs.updateTally(runId, sourceTallyName(sourceId), { opened: ids });
}
