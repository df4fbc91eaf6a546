import type { RunStore } from "../../ports.ts";
import { type Parts, PartWriter, readParts } from "../pipeline/parts.ts";
import type { MissedDocument } from "../plan/claim.ts";
import type { DelinquentDocument } from "./validate.ts";

/**
 * Tells refused articles that the archive would know as one, as it does valid ones: of those that have a key in common, the one whose
 * record has the first id stays, in every run. The keys alone are held in memory, not the documents.
 * @param refused of delinquent documents
 * @returns `twins`: of missed documents
 */
export async function partTwins(
  refused: Parts,
  runId: string,
  runs: Pick<RunStore, "part" | "keepPart">,
): Promise<{ delinquent: Parts; twins: Parts }> {
  const owners = new Map<string, string>();
  for await (const part of readParts<DelinquentDocument>(refused, runs)) {
    for (const { archiveKeys, recordId } of part) {
      for (const key of archiveKeys) {
        const owner = owners.get(key);
        if (owner === undefined || recordId < owner) owners.set(key, recordId);
      }
    }
  }
  const delinquent = new PartWriter<DelinquentDocument>(runId, runs);
  const twins = new PartWriter<MissedDocument>(runId, runs);
  for await (const part of readParts<DelinquentDocument>(refused, runs)) {
    for (const document of part) {
      const missedKey = document.archiveKeys.find((key) => owners.get(key) !== document.recordId);
      if (missedKey === undefined) await delinquent.add([document]);
      else {
        const { findings: _told, ...twin } = document;
        await twins.add([{ ...twin, missedKey }]);
      }
    }
  }
  return { delinquent: await delinquent.end(), twins: await twins.end() };
}
