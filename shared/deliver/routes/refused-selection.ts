import type { Context } from "hono";
import * as z from "zod";
import { operatorOf } from "../../api/operator.ts";
import { afterText, pageLimit } from "../../api/paging.ts";
import { recordId, recordIdPattern } from "../../api/record-id.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import { deliveredModes } from "../../records/runs/run.ts";
import { assertSource } from "../../records/sources/assert-source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { noteRefused } from "../refused/decide-refused.ts";
import { hasReason, reasonPattern, reasonPrefix } from "../refused/refusal-reason.ts";
import type { RefusedRecord } from "../refused/refused-record.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import { maxSourceIdChars } from "../validation/rule-fields.ts";

export interface SelectionPorts {
  refusedRecords: RefusedStore;
  records: Pick<RecordStore, "get">;
  sources: Pick<SourceStore, "source">;
  clock: Clock;
}

const sourceId = z
  .string("must be the id of a source")
  .min(1, "must be the id of a source")
  .max(maxSourceIdChars);
const reason = z
  .string()
  .regex(reasonPattern, "must be a reason, such as missing-title:245a, or the id of a rule")
  .describe("A reason from `GET /refused-records/reasons`, or the id of a rule");
export const mode = z.enum(deliveredModes).default("LIVE");

const after = z.string().min(1).max(600).optional().describe(afterText);

/** The parameters of a list of refused records. */
export const listQuery = z.strictObject({
  source: sourceId.optional().describe("The id of a source; absent: all sources"),
  reason: reason.optional(),
  mode,
  limit: pageLimit({ most: 500, otherwise: 100 }),
  after,
});

const maxNoteChars = 1000;

export const noteText = z.string().trim().min(1).max(maxNoteChars);

/** The selection of refused records for an action. */
export const selection = z
  .strictObject({
    mode,
    source: sourceId.optional().describe("Selects the refused records of this source"),
    reason: reason
      .optional()
      .describe("Selects the records that were refused for this reason, or by this rule"),
    ids: z.array(recordId).min(1).max(100).optional().describe("Selects exactly these records"),
    limit: z.int().min(1).max(500).default(100).describe("Records per call"),
    after,
    note: noteText.optional().describe("Your reason, stored with each record for other operators"),
  })
  .refine(({ source, reason, ids }) => (source ?? reason ?? ids) !== undefined, {
    path: ["source"],
    message: "or `reason` or `ids` must say which records are meant",
  })
  .refine(({ source, reason, ids }) => ids === undefined || (source ?? reason) === undefined, {
    path: ["ids"],
    message: "cannot be combined with `source` or `reason`",
  });
type Selection = z.output<typeof selection>;

const maxParallelReads = 16;

/**
 * Returns a page of refused records.
 * @throws InputError for a source that does not exist, or an `after` of another list
 */
export async function listPage(
  { source, reason, mode, limit, after }: Omit<z.output<typeof listQuery>, "limit"> & { limit: number },
  { refusedRecords, sources }: SelectionPorts,
): Promise<{ records: RefusedRecord[]; next?: string | undefined }> {
  const misplaced = () => new InputError("after", after, "must be the `next` of a page of refused records");
  if (source === undefined) {
    const isPlace = after === undefined || after.split("#").length >= 3;
    if (!isPlace || !(after ?? "").startsWith(after && reason ? reasonPrefix(reason) : "")) throw misplaced();
    return refusedRecords.queue(mode, { reason, limit, after });
  }
  if (after !== undefined && !recordIdPattern.test(after)) throw misplaced();
  const page = await refusedRecords.listBySource(mode, source, { limit, after });
  // A deleted source may still have records.
  if (page.length === 0 && after === undefined) await assertSource(source, sources);
  return {
    records: page.filter((record) => hasReason(record, reason)),
    next: page.length < limit ? undefined : page.at(-1)?.document.recordId,
  };
}

/** Returns a page of the selected records that are not released, and attaches the note of the selection to them. */
export async function selectWaiting(
  { ids, note, ...query }: Selection,
  context: Context,
  ports: SelectionPorts,
): Promise<{ records: RefusedRecord[]; next?: string | undefined }> {
  const { records, next } =
    ids === undefined
      ? await listPage(query, ports)
      : { records: await findRecords(ids, query.mode, ports), next: undefined };
  const waiting = records.filter(({ released }) => released === undefined);
  if (note !== undefined) {
    const at = ports.clock.now().toISOString();
    await noteRefused(waiting, { text: note, by: operatorOf(context), at }, ports);
  }
  return { records: waiting, next };
}

/** Reads several records of one mode. */
async function findRecords(
  ids: string[],
  mode: RefusedRecord["deliveryMode"],
  { records, refusedRecords }: SelectionPorts,
): Promise<RefusedRecord[]> {
  const found = await inParallel([...new Set(ids)], maxParallelReads, async (id) => {
    const sourceId = (await records.get(id))?.sourceId;
    return sourceId === undefined ? undefined : refusedRecords.get(mode, sourceId, id);
  });
  return found.filter((record) => record !== undefined);
}
