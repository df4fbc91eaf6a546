import { inParallel } from "../../core/in-parallel.ts";
import { joinParts, type Parts } from "../../records/runs/parts.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { fileKinds, type PlannedFile } from "../stage-results/delivery.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";
import { claimedPart } from "./claim-parts.ts";
import { FileBatches, type FileBatchesPorts } from "./file-batches.ts";

export interface PlanPorts extends FileBatchesPorts {
  runs: Pick<RunStore, "storePart" | "loadPart" | "stageResult">;
  sources: Pick<SourceStore, "groups">;
}

/**
 * The assignment of records to files. The plan is stored before any file is written, so that a repeated upload writes
 * the same files.
 */
export interface DeliveryPlan {
  files: PlannedFile[];
  /** `DuplicateDocument`s: articles that duplicate a record that was delivered earlier or is in a file of this run. */
  duplicates: Parts;
}

/** The number of results of parts that are read at the same time. */
const maxParallelResults = 32;

/** Assigns the claimed records of a run to files, by kind and group. Uses only the keys of the parts. */
export async function planFiles(
  run: Run,
  validated: ValidateResult,
  ports: PlanPorts,
): Promise<DeliveryPlan> {
  const duplicates: (Parts | undefined)[] = [validated.duplicates];
  const files: PlannedFile[] = [];
  const { groups } = await ports.sources.groups();
  for (const kind of fileKinds) {
    const batches = new FileBatches(run, { kind }, { ...ports, groups });
    const parts = await inParallel(validated[kind].keys, maxParallelResults, (_, index) =>
      claimedPart(run.runId, { kind, id: String(index) }, ports.runs),
    );
    for (const part of parts) {
      duplicates.push(part.missed);
      for (const group of part.groups) await batches.add(group);
    }
    files.push(...(await batches.finish()));
  }
  return { files, duplicates: joinParts(duplicates) };
}
