import { digest } from "../../core/digest.ts";
import { recordIdOf } from "../../records/documents/document-identity.ts";
import { itemIdOf } from "../items/item.ts";
import type { ItemContext } from "../items/item-context.ts";
import { defaultMaxFileBytes } from "../items/request-files.ts";
import { openInTally, type StartSource } from "../listing/start-listings.ts";

/**
 * FILE: downloads a file, in the same way as the files of documents. `store-item.ts` reads the response, and passes the
 * file on as an upload: an archive, a MARC file, or a single document.
 */
export const startFile: StartSource = async ({ sourceId, url }, { run, requestPolicy }, ports) => {
  if (run.harvestOf === undefined) {
    return { type: "problem", problem: "a source of the type FILE is read once, by a poll" };
  }
  const { runId } = run;
  const id = digest(runId, sourceId, "file");
  const documentId = recordIdOf({ sourceId, identifier: [url] });
  const context: ItemContext = {
    sourceId,
    documentId,
    itemId: itemIdOf(documentId, url),
    url,
    documentVersion: 1,
    maxBytes: defaultMaxFileBytes,
    pieces: [],
    upload: { uploadId: id, runId },
  };
  await openInTally(runId, sourceId, [id], ports);
  const bodyPolicy = {
    type: "stream" as const,
    maxBytes: defaultMaxFileBytes,
    keepIncomplete: true as const,
  };
  await ports.requests.send([
    { id, kind: "item", url, ...requestPolicy, bodyPolicy, context: { ...context } },
  ]);
  return { type: "started" };
};
