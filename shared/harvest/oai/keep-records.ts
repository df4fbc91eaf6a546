import { budgets } from "../../core/budgets.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import type { OaiRecord } from "../../formats/oai/page.ts";
import { oaiRequestUrl, parseOaiUrl } from "../../formats/oai/request-url.ts";
import { countKnownReasons } from "../../records/archive/known-reason.ts";
import { type KeepPorts, keepDocuments, refusalReason } from "../../records/documents/keep-documents.ts";
import type { PagePlace } from "../../records/documents/list-marks.ts";
import type { DocumentOutcome, SourceOutcome } from "../../records/runs/run.ts";
import type { Source } from "../../records/sources/source.ts";
import type { BaseListingContext } from "../listing/process-listing.ts";
import { type ResolveDocumentsPorts, resolveDocuments } from "../listing/resolve-documents.ts";
import type { ListPlan } from "../oai-state/list-plan.ts";
import { listRecord } from "./listed-records.ts";
import { collectionOf } from "./set-collection.ts";

export interface KeepRecordsPorts extends ResolveDocumentsPorts {
  /** Absent in a process that only previews. */
  kept: KeepPorts | undefined;
}

interface KeptRecords {
  resolved: DocumentOutcome[];
  counts: Pick<SourceOutcome, "entries" | "known" | "requested" | "dropped">;
  /** Documents that the list had named before. */
  repeated: number;
}

/** The place of a page in a harvest. */
export interface ListedPage {
  plan: ListPlan;
  listedAt: string;
  /** See `listMarkOf`. */
  mark: string;
  /** Absent for a record that was asked for alone. */
  page?: PagePlace;
  /** The set that is listed. */
  set: string | undefined;
}

interface RecordPage {
  source: Source;
  frame: BaseListingContext;
}

/**
 * Keeps the records of a page as documents; those of Dublin Core, MODS and MARCXML also become records of the delivery,
 * unless the archive knows them. A preview keeps no documents. A record that cannot be used is dropped with its reason.
 */
export async function keepRecords(
  records: readonly OaiRecord[],
  page: RecordPage & ListedPage,
  ports: KeepRecordsPorts,
): Promise<KeptRecords> {
  const { source, frame, plan, listedAt, mark, set } = page;
  const { sourceId } = source;
  const { metadataPrefix = source.oai.metadataPrefix } = plan.args;
  const listed = records.map((record) => ({
    record,
    listed: admitted(listRecord(record, { ...source.oai, metadataPrefix })),
  }));
  const dropped = listed.flatMap(({ record, listed: one }) =>
    "problem" in one
      ? [
          {
            entry: truncateToBytes(record.identifier, budgets.droppedEntryBytes) || "a record",
            reason: one.problem,
          },
        ]
      : [],
  );
  const documents = listed.flatMap(({ listed: one }) => ("problem" in one ? [] : [one]));
  const { run } = frame;
  let repeated = 0;
  if (run.harvestOf !== undefined && ports.kept !== undefined && documents.length > 0) {
    const marks = { ...(plan.isFull && { harvestId: mark }), ...(page.page && { page: page.page }) };
    const { throttleMs, obeyRobots } = source;
    const fileRequests = { obeyRobots, ...(throttleMs !== undefined && { throttleMs }) };
    const kept = await keepDocuments({ sourceId, listedAt, ...marks, fileRequests, documents }, ports.kept);
    // Each identifier of a page has one outcome.
    repeated = documents.length - kept.length + kept.filter(({ isRepeated }) => isRepeated).length;
  }
  const isKeptOnly = run.harvestOf !== undefined && run.deliveryMode === "NONE";
  const resolved = await resolveDocuments(
    isKeptOnly ? [] : documents,
    {
      ...page,
      collectionOf: (document) => collectionOf(document, source, set),
      urlOf: (identifier) => getRecordUrl(plan.baseUrl, { identifier, metadataPrefix }),
    },
    ports,
  );
  const known = resolved.flatMap((outcome) => (outcome.state === "known" ? [outcome.as] : []));
  return {
    resolved,
    counts: {
      entries: records.length,
      known: countKnownReasons(known),
      requested: resolved.length - known.length,
      dropped,
    },
    repeated,
  };
}

/** A record that cannot be kept as a document is not a record of the delivery either. */
function admitted(listed: ReturnType<typeof listRecord>): ReturnType<typeof listRecord> {
  const problem = "problem" in listed ? undefined : refusalReason(listed);
  return problem === undefined ? listed : { problem };
}

/** Where the repository gives one record. */
function getRecordUrl(url: string, record: { identifier: string; metadataPrefix: string }): string {
  return oaiRequestUrl(parseOaiUrl(url)?.baseUrl ?? url, "GetRecord", record);
}
