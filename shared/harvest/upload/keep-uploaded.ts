import { listedDocumentId } from "../../records/documents/document-identity.ts";
import { type KeepPorts, keepDocuments } from "../../records/documents/keep-documents.ts";
import type { DocumentOutcome, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { Source } from "../../records/sources/source.ts";
import { type ResolveDocumentsPorts, resolveDocuments } from "../listing/resolve-documents.ts";
import type { UploadOutcome } from "../uploads/upload.ts";
import type { ListedUpload } from "./listed-uploads.ts";

export interface KeepUploadedPorts extends ResolveDocumentsPorts {
  kept: KeepPorts;
  runs: Pick<RunStore, "saveOutcomeBatch">;
}

/** Where a batch of an upload goes. */
export interface UploadBatch {
  source: Source;
  /** Absent: the source delivers nothing. */
  run: Run | undefined;
  /** The same whenever the upload is read. */
  batchId: string;
  listedAt: string;
}

/**
 * Keeps documents of an upload, and has the next delivery take the records that they become. Repeatable: a batch that a
 * delivery knows is unchanged.
 * @returns the outcome of each, in their order
 */
export async function keepUploaded(
  uploaded: readonly ListedUpload[],
  { source, run, batchId, listedAt }: UploadBatch,
  ports: KeepUploadedPorts,
): Promise<UploadOutcome[]> {
  const { sourceId } = source;
  const documents = uploaded.flatMap((each) => ("listed" in each ? [each.listed] : []));
  const kept = await keepDocuments({ sourceId, listedAt, documents }, ports.kept);
  const byIdentifier = new Map(kept.map((outcome) => [outcome.identifier[0], outcome]));
  const usable = documents.filter(({ identifier }) => byIdentifier.get(identifier[0])?.outcome !== "refused");
  const records = run && (await deliver(usable, { source, run, batchId }, ports));
  return uploaded.map((each): UploadOutcome => {
    if ("refused" in each) return each.refused;
    const [name] = each.listed.identifier;
    const { documentId, outcome = "refused" as const, reason } = byIdentifier.get(name) ?? {};
    return {
      type: "document",
      name,
      outcome,
      ...(documentId && { documentId }),
      ...(reason !== undefined && { reason }),
      ...recordView(records?.get(listedDocumentId(batchId, { sourceId, identifier: [name] }))),
    };
  });
}

/**
 * The address of a document that names no page of its own: a route of its source's page. One address for all would be
 * one article to the archive.
 */
function uploadedDocumentUrl(sourceUrl: string, identifier: string): string {
  const url = new URL(sourceUrl);
  url.hash = `/${encodeURIComponent(identifier)}`;
  return url.href;
}

/** The outcomes of the documents that can become records, by `listedDocumentId`. */
async function deliver(
  documents: Parameters<typeof resolveDocuments>[0],
  { source, run, batchId }: { source: Source; run: Run; batchId: string },
  ports: KeepUploadedPorts,
): Promise<Map<string, DocumentOutcome>> {
  const { sourceId, title, url } = source;
  const frame = { run, sourceId, title, listingId: batchId };
  const outcomes = await resolveDocuments(
    documents,
    { source, frame, urlOf: (identifier) => uploadedDocumentUrl(url, identifier) },
    ports,
  );
  if (outcomes.length > 0) {
    await ports.runs.saveOutcomeBatch(run.runId, { sourceId, listingId: batchId, outcomes });
  }
  return new Map(outcomes.map((outcome) => [outcome.requestId, outcome]));
}

function recordView(outcome: DocumentOutcome | undefined): Pick<UploadOutcome, "record" | "recordReason"> {
  if (outcome === undefined || outcome.state === "failed") return {};
  if (outcome.state === "dropped") return { record: "dropped", recordReason: outcome.reason };
  return { record: outcome.state };
}
