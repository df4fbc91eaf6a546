import { type Parts, PartWriter, readParts } from "../../records/runs/parts.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { DuplicateDocument } from "../claims/claim.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import type { RefusedDocument } from "../stage-results/validate-result.ts";
import { RepeatedKeys } from "./repeated-keys.ts";

/** The number of keys that most articles have: an address, a DOI, and a hash. */
const keysPerArticle = 3;

/**
 * Separates duplicates from refused articles, as the archive does for valid articles. Among articles that share a key,
 * the article with the first record id is kept, in every run. Each kept article gets the time of its first refusal.
 * Only the keys that occur repeatedly are in memory.
 * @param refused `RefusedDocument`s
 * @returns `duplicates`: `DuplicateDocument`s
 */
export async function separateDuplicates(
  refused: Parts,
  { runId, deliveryMode }: Pick<Run, "runId" | "deliveryMode">,
  {
    runs,
    refusedRecords,
  }: {
    runs: Pick<RunStore, "loadPart" | "storePart">;
    refusedRecords: Pick<RefusedStore, "listedSince">;
  },
): Promise<{ delinquent: Parts; duplicates: Parts }> {
  const repeated = new RepeatedKeys(refused.count * keysPerArticle);
  for await (const part of readParts<RefusedDocument>(refused, runs)) {
    for (const { archiveKeys } of part) for (const key of archiveKeys) repeated.add(key);
  }
  const owners = new Map<string, string>();
  for await (const part of readParts<RefusedDocument>(refused, runs)) {
    for (const { archiveKeys, recordId } of part) {
      for (const key of archiveKeys) {
        if (!repeated.has(key)) continue;
        const owner = owners.get(key);
        if (owner === undefined || recordId < owner) owners.set(key, recordId);
      }
    }
  }
  const delinquent = new PartWriter<RefusedDocument>(runId, runs);
  const duplicates = new PartWriter<DuplicateDocument>(runId, runs);
  for await (const part of readParts<RefusedDocument>(refused, runs)) {
    const listed = await refusedRecords.listedSince(deliveryMode, part);
    for (const document of part) {
      const conflictingKey = document.archiveKeys.find(
        (key) => (owners.get(key) ?? document.recordId) !== document.recordId,
      );
      const refusedSince = listed.get(document.recordId);
      if (conflictingKey === undefined)
        await delinquent.add([{ ...document, ...(refusedSince !== undefined && { refusedSince }) }]);
      else {
        const { findings: _findings, ...duplicate } = document;
        const conflictingRecord = { recordId: owners.get(conflictingKey) ?? "", isOfThisRun: true };
        await duplicates.add([{ ...duplicate, conflictingKey, conflictingRecord }]);
      }
    }
  }
  return { delinquent: await delinquent.finish(), duplicates: await duplicates.finish() };
}
