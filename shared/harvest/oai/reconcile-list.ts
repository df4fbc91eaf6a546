import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import type { ListProgress } from "../../formats/oai/completeness.ts";
import type { KeepPorts } from "../../records/documents/keep-documents.ts";
import { deleteUnlisted, type ListSurvey, surveyListed } from "../../records/documents/reconcile.ts";
import { changeHarvestState, type HeldDeletions, type OaiHarvestStore } from "../oai-state/harvest-state.ts";

/** A list was read that has documents left to look at. What has been done is noted. */
export class UnfinishedList extends ThrottledError {}

/** What a full list shows of the documents that it lacks. `settled`: they are deleted, if there were any. */
type Reconciliation =
  | { type: "settled" }
  | { type: "shifting"; reason: string }
  | { type: "held"; deletions: HeldDeletions };

interface ReconcileListPorts {
  kept: KeepPorts;
  oaiHarvests: OaiHarvestStore;
  clock: Clock;
}

/** A full list that was read to its end. */
interface FullList {
  sourceId: string;
  /** The runId of the harvest. */
  harvestId: string;
  /** What its documents are marked with: see `listMarkOf`. */
  mark: string;
  listedAt: string;
  progress: ListProgress;
}

/** Fewer deletions at once are ordinary in a source of any size. */
const maxDeletions = 20;
const maxShareOfDeletions = 0.05;

/** Two minutes before the reader's own end: a page of deletions takes seconds. */
const maxMs = 180_000;

/** How many pages of documents are looked at between two checkpoints. */
const checkpointPages = 25;

/** The documents that are named to the operator who decides. */
const maxExamples = 10;

/**
 * Names the attempt at a list: one that started again marks its documents again, so that those of the attempt before do
 * not count as listed.
 */
export function listMarkOf(harvestId: string, { restarts }: { restarts: number }): string {
  return restarts === 0 ? harvestId : `${harvestId}-restart-${restarts}`;
}

/**
 * Deletes the documents that a full list lacks, unless the list itself shows that it cannot be trusted: it shifted
 * while it was read, has records that cannot be read, or lacks more than `max(20, 5 %)` of the source's documents,
 * without those that an operator has released. Looks at all documents first, and deletes afterwards. It resumes where
 * an earlier invocation has ended. Repeatable.
 * @throws UnfinishedList when there are too many for one invocation
 */
export async function reconcileList(list: FullList, ports: ReconcileListPorts): Promise<Reconciliation> {
  const { kept, oaiHarvests, clock } = ports;
  const { sourceId, harvestId, mark, listedAt, progress } = list;
  const invocation = { list, untilMs: clock.now().getTime() + maxMs };
  const state = await oaiHarvests.get(sourceId);
  const known = state?.reconciled?.harvestId === harvestId ? state.reconciled : undefined;
  const listing = { harvestId: mark, listedAt };
  const released = state?.releasedDeletions;
  if (!known?.isDeleting) {
    const begin = known?.survey && { survey: known.survey, after: known.after };
    const surveyed = surveyListed(
      sourceId,
      { ...listing, ...begin, earlier: released?.mark, maxExamples },
      kept,
    );
    const { survey } = await withCheckpoints(surveyed, ({ survey, after }) => ({ survey, after }), {
      ...invocation,
      ports,
    });
    const reason = whyShifting(survey, progress);
    if (reason !== undefined) return { type: "shifting", reason };
    const { absent, present, examples } = survey;
    const unexpected = released ? Math.max(survey.newlyAbsent, absent - released.documents) : absent;
    // A record that cannot be read may be of any of the documents that are missing.
    const isUnreadable = (progress.unkept ?? 0) > 0;
    const limit = isUnreadable ? 0 : Math.max(maxDeletions, present * maxShareOfDeletions);
    if (unexpected > limit) {
      const since = clock.now().toISOString();
      return {
        type: "held",
        deletions: { harvestId, mark, since, documents: absent, of: present, examples },
      };
    }
    if (absent === 0) return { type: "settled" };
  }
  const after = known?.isDeleting ? known.after : undefined;
  const deleted = deleteUnlisted(sourceId, { ...listing, after }, kept);
  await withCheckpoints(deleted, ({ after }) => ({ isDeleting: true, after }), { ...invocation, ports });
  return { type: "settled" };
}

/** Why records may have slipped through between the pages of a list; undefined when nothing indicates it. */
function whyShifting({ listed }: ListSurvey, progress: ListProgress): string | undefined {
  const counted = progress.records - (progress.unkept ?? 0);
  if (listed < counted)
    return `the list changed while it was read: ${counted - listed} of its ${counted} records are repetitions`;
  if (progress.announcedChanged) return "the list changed while it was read: so did its completeListSize";
  return undefined;
}

/**
 * Takes all steps, and notes from time to time how far they have come.
 * @returns the last step
 * @throws UnfinishedList when the time of the invocation is over
 */
async function withCheckpoints<Step extends { after: string | undefined }>(
  steps: AsyncGenerator<Step, Step>,
  checkpoint: (step: Step) => { survey?: ListSurvey; isDeleting?: true; after: string | undefined },
  { list, untilMs, ports }: { list: FullList; untilMs: number; ports: ReconcileListPorts },
): Promise<Step> {
  const { sourceId, harvestId } = list;
  for (let pages = 1; ; pages += 1) {
    const { value: step, done } = await steps.next();
    if (done) return step;
    const isOver = ports.clock.now().getTime() >= untilMs;
    if (!isOver && pages % checkpointPages !== 0) continue;
    const { after, ...rest } = checkpoint(step);
    const reconciled = { harvestId, ...rest, ...(after !== undefined && { after }) };
    await changeHarvestState(sourceId, async (state) => ({ ...state, reconciled }), ports.oaiHarvests);
    if (isOver)
      throw new UnfinishedList(
        `source ${sourceId}: its documents are still being compared with its list`,
        ports.clock.now(),
      );
  }
}
