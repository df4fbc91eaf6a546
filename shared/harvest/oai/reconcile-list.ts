import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import { type ListProgress, whyShifting } from "../../formats/oai/completeness.ts";
import type { KeepPorts } from "../../records/documents/keep-documents.ts";
import { deleteUnlisted, isMarked, surveyListed } from "../../records/documents/reconcile.ts";
import { listMark, type Waits } from "../../records/documents/waits.ts";
import type { Run } from "../../records/runs/run.ts";
import { type DeletionLimits, exceedsLimits } from "../../records/sources/deletion-limits.ts";
import {
  changeHarvestState,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
import { type HeldDeletions, maxExamples } from "../oai-state/held-deletions.ts";

/** A list was read that has documents left to look at. What has been done is noted. */
export class UnfinishedList extends ThrottledError {}

/**
 * What a full list shows of the documents that it lacks.
 * - `settled`: there are none
 * - `unconfirmed`: they are few enough to ask the repository for each of them, or an operator has released them
 * - `shifting`: they are many, and the list shows nothing
 * - `held`: they are many: an operator decides
 */
type Reconciliation =
  | { type: "settled" }
  | { type: "unconfirmed"; absent: HeldDeletions; waits: Waits; isReleased?: true }
  | { type: "shifting" }
  | { type: "held"; deletions: HeldDeletions };

interface ReconcileListPorts {
  kept: KeepPorts;
  oaiHarvests: OaiHarvestStore;
  clock: Clock;
}

/** A full list that was read to its end. */
export interface FullList {
  sourceId: string;
  /** The runId of the harvest. */
  harvestId: string;
  /** What its documents are marked with: see `listMarkOf`. */
  mark: string;
  listedAt: string;
  progress: ListProgress;
  limits: DeletionLimits;
  /** Until when this invocation compares it with the documents, in milliseconds since the epoch. */
  untilMs: number;
}

/** Two minutes before the reader's own end: a page of deletions takes seconds. */
export const maxReconcileMs = 180_000;

/** How many pages of documents are looked at between two checkpoints. */
const checkpointPages = 25;

/**
 * Names the attempt at a list: one that started again marks its documents again, so that those of the attempt before do
 * not count as listed.
 */
export function listMarkOf(
  { runId, startedAt }: Pick<Run, "runId" | "startedAt">,
  { restarts }: { restarts: number },
): string {
  return listMark(restarts === 0 ? runId : `${runId}-restart-${restarts}`, startedAt);
}

/**
 * Decides what to do about the documents that a full list lacks. The repository is asked for each of them; when they are more
 * than the source's limits, an operator must release them first. If an operator has released documents
 * although the repository does not say whether they exist, those that this list lacks, too, are deleted. It looks at all
 * documents first, and resumes where an earlier invocation has ended. Repeatable.
 * @throws UnfinishedList when there are too many for one invocation
 */
export async function reconcileList(list: FullList, ports: ReconcileListPorts): Promise<Reconciliation> {
  const { kept, oaiHarvests, clock } = ports;
  const { sourceId, harvestId, mark, listedAt, progress } = list;
  const state = await oaiHarvests.get(sourceId);
  const known = state?.reconciled?.harvestId === harvestId ? state.reconciled : undefined;
  const listing = { isListed: isMarked(mark), listedAt };
  const released = state?.releasedDeletions;
  const begin = known?.survey && { survey: known.survey, after: known.after };
  const wasListed = released && isMarked(released.mark);
  // The others are deleted without a question.
  const isWaiting = released?.unconfirmed === undefined ? undefined : wasListed;
  const surveyed = surveyListed(sourceId, { ...listing, ...begin, wasListed, isWaiting, maxExamples }, kept);
  const done = known?.isDeleting ? known : undefined;
  const survey =
    done?.survey ??
    (await withCheckpoints(surveyed, ({ survey, after }) => ({ survey, after }), { list, ports })).survey;
  const isShifting = whyShifting(progress) !== undefined;
  const { absent, present, examples, waits } = survey;
  if (absent === 0) return { type: "settled" };
  const deletions = {
    harvestId,
    mark,
    since: clock.now().toISOString(),
    documents: absent,
    of: present,
    examples,
  };
  const unexpected = released ? Math.max(survey.newlyAbsent, absent - released.documents) : absent;
  if (exceedsLimits(list.limits, { documents: unexpected, of: present })) {
    return isShifting ? { type: "shifting" } : { type: "held", deletions };
  }
  if (isShifting) return { type: "unconfirmed", absent: deletions, waits };
  if (released?.unconfirmed !== undefined) {
    const deleted = deleteUnlisted(sourceId, { ...listing, after: done?.after, wasListed }, kept);
    await withCheckpoints(deleted, ({ after }) => ({ survey, isDeleting: true, after }), {
      list,
      ports,
    });
    const left = { ...deletions, documents: survey.newlyAbsent, examples: [] };
    return { type: "unconfirmed", absent: left, waits };
  }
  return {
    type: "unconfirmed",
    absent: deletions,
    waits,
    ...(released !== undefined && { isReleased: true }),
  };
}

/**
 * Takes all steps, and notes from time to time how far they have come.
 * @returns the last step
 * @throws UnfinishedList when the time of the invocation is over
 */
export async function withCheckpoints<Step extends { after: string | undefined }>(
  steps: AsyncGenerator<Step, Step>,
  checkpoint: (step: Step) => Omit<NonNullable<OaiHarvestState["reconciled"]>, "harvestId">,
  { list, ports }: { list: FullList; ports: ReconcileListPorts },
): Promise<Step> {
  const { sourceId, harvestId } = list;
  for (let pages = 1; ; pages += 1) {
    const { value: step, done } = await steps.next();
    if (done) return step;
    const isOver = ports.clock.now().getTime() >= list.untilMs;
    if (!isOver && pages % checkpointPages !== 0) continue;
    const noted = checkpoint(step);
    await changeHarvestState(
      sourceId,
      async (state) => {
        const before = state.reconciled?.harvestId === harvestId ? state.reconciled : undefined;
        return { ...state, reconciled: { ...before, harvestId, ...noted } };
      },
      ports.oaiHarvests,
    );
    if (isOver)
      throw new UnfinishedList(
        `source ${sourceId}: its documents are still being compared with its list`,
        ports.clock.now(),
      );
  }
}
