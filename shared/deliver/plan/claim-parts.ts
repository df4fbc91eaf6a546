import { type ArchiveState, entryExpiry } from "../../records/archive/archive-entry.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { DividedStep } from "../../records/runs/divided-step.ts";
import { type Parts, PartWriter } from "../../records/runs/parts.ts";
import type { ConvertedDocument, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { defaultWindowDays, deliveryWindowDays } from "../../records/sources/delivery-window.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { claimDocuments, type DuplicateDocument, releaseClaims } from "../claims/claim.ts";
import { type FileKind, fileKinds } from "../stage-results/delivery.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";

export interface ClaimPartsPorts {
  runs: Pick<RunStore, "storePart" | "loadPart" | "stageResult" | "finishStage">;
  archive: Pick<ArchiveStore, "claim" | "claimOf" | "entry" | "releaseClaim">;
  sources: Pick<SourceStore, "sourcesByMode">;
}

/** The articles of one part that are included in files. */
interface ClaimedPart {
  /** For each group, the key of the part with its articles, and their number. */
  groups: { groupId: string; key: string; count: number }[];
  /** `DuplicateDocument`s. */
  missed: Parts;
}

/** The archive state of the claims for each kind of file. */
const claimedAs: Record<FileKind, ArchiveState> = {
  valid: "claimed",
  onlineFirst: "online_first",
  delinquent: "error",
};

const endOfTime = new Date(8.64e15);

/**
 * Returns the steps that claim keys for a run, one kind of file after the other. Because of this order, an article that
 * waits for its volume cannot take a key from a delivered article.
 */
export function claimSteps(run: Run, validated: ValidateResult, ports: ClaimPartsPorts): DividedStep[] {
  let expiries: ReturnType<typeof readWindows> | undefined;
  const windows = () => {
    expiries ??= readWindows(run, ports.sources);
    return expiries;
  };
  return fileKinds.map((kind) => ({
    step: `claim-${kind}` as const,
    ids: validated[kind].keys.map((_, index) => String(index)),
    documents: validated[kind].count,
    work: async (id) => {
      const partKey = validated[kind].keys[Number(id)];
      const checkpoint = `claimed-${kind}-${id}` as const;
      if (partKey === undefined || (await ports.runs.stageResult(run.runId, checkpoint)) !== undefined)
        return;
      const claimed = await claimPart({ run, validated, kind, partKey }, await windows(), ports);
      const { missed } = await ports.runs.finishStage(run.runId, checkpoint, claimed);
      // If the plan is already stored, another worker has finished first, and the keys that this worker has claimed
      // since then would block other records.
      if ((await ports.runs.stageResult(run.runId, "plan")) === undefined) return;
      for (const key of missed.keys)
        await releaseClaims(await ports.runs.loadPart<ConvertedDocument>(key), run, ports.archive);
    },
  }));
}

/** Returns the result of a part whose step is done. */
export async function claimedPart(
  runId: string,
  { kind, id }: { kind: FileKind; id: string },
  runs: Pick<RunStore, "stageResult">,
): Promise<ClaimedPart> {
  const part = await runs.stageResult<ClaimedPart>(runId, `claimed-${kind}-${id}`);
  if (part === undefined) throw new Error(`part ${id} of the ${kind} records of run ${runId} is not claimed`);
  return part;
}

/** Reads the number of days within which each source is expected to deliver. */
async function readWindows(
  { deliveryMode }: Pick<Run, "deliveryMode">,
  store: Pick<SourceStore, "sourcesByMode">,
): Promise<ReadonlyMap<string, number>> {
  const { sources } = await store.sourcesByMode(deliveryMode);
  return new Map(sources.map((source) => [source.sourceId, deliveryWindowDays(source)]));
}

async function claimPart(
  { run, validated, kind, partKey }: { run: Run; validated: ValidateResult; kind: FileKind; partKey: string },
  windows: ReadonlyMap<string, number>,
  { runs, archive }: ClaimPartsPorts,
): Promise<ClaimedPart> {
  const part = await runs.loadPart<ConvertedDocument>(partKey);
  const state = claimedAs[kind];
  const startedAt = new Date(run.startedAt);
  // A released record does not wait for volume and issue, so every claim that can expire counts as expired.
  const at = validated.released.keys.includes(partKey) ? endOfTime : new Date(validated.validatedAt);
  const expiryOf = (sourceId: string) =>
    entryExpiry(state, windows.get(sourceId) ?? defaultWindowDays, startedAt);
  const { claimed, missed } = await claimDocuments(part, run, { state, at, expiryOf }, archive);
  // Refused records are listed, regardless of which record has their keys.
  const isRefused = kind === "delinquent";
  const groups = Map.groupBy(isRefused ? part : claimed, ({ groupId }) => groupId);
  const stored: ClaimedPart["groups"] = [];
  for (const [groupId, documents] of groups)
    stored.push({ groupId, key: await runs.storePart(run.runId, documents), count: documents.length });
  const duplicates = new PartWriter<DuplicateDocument>(run.runId, runs);
  if (!isRefused) await duplicates.add(missed);
  return { groups: stored, missed: await duplicates.finish() };
}
