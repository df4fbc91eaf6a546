import { inParallel } from "../../core/in-parallel.ts";
import { itemsInPart } from "./parts.ts";
import type { RunStore } from "./run-store.ts";
import type { DividedStepName, StageQueue, StageRequest } from "./stages.ts";
import { stepTallyName } from "./tally-names.ts";

/** The way in which the documents of a run are divided. */
export interface Division {
  /** The number of documents in a part. One message processes one part. */
  partSize: number;
  /**
   * A step with at most this number of documents needs no messages. The stage then processes the parts itself, one
   * after the other.
   */
  maxInline: number;
}

const defaultDivision: Division = { partSize: itemsInPart, maxInline: 4 * itemsInPart };

/**
 * A step of a stage that is divided into parts. The parts may be processed in any order, in parallel, and repeatedly.
 */
export interface DividedStep {
  step: DividedStepName;
  /** The ids of the parts; they are the same in every repeat. */
  ids: string[];
  /** The number of documents in all parts. */
  documents: number;
  work(id: string): Promise<void>;
}

export interface DividedStepPorts {
  runs: Pick<RunStore, "updateTally" | "openIds">;
  /** The queue of the stage. */
  partsQueue: StageQueue;
  /** If absent, the division of the deployment is used. */
  division?: Division;
}

export function divisionOf({ division }: Pick<DividedStepPorts, "division">): Division {
  return division ?? defaultDivision;
}

/**
 * Carries out a step, or requests its open parts. Each part is a message, and the last part to end requests the stage
 * again. A stage that is requested again requests only the remaining parts.
 * @returns whether all parts are done
 */
export async function divideStep(
  runId: string,
  { step, ids, documents, work }: DividedStep,
  ports: DividedStepPorts,
): Promise<boolean> {
  if (documents <= divisionOf(ports).maxInline) {
    for (const id of ids) await work(id);
    return true;
  }
  const tally = stepTallyName(step);
  await ports.runs.updateTally(runId, tally, { opened: ids });
  const open = await ports.runs.openIds(runId, tally);
  await inParallel(open, maxParallelSends, (id) => ports.partsQueue.send({ runId, part: { step, id } }));
  return open.length === 0;
}

/** The number of messages sent at once, in full batches. */
const maxParallelSends = 40;

/**
 * Processes a requested part and counts it. The last part requests the stage again. A part may be requested twice. The
 * duplicate is skipped when the part is done, because a later step or an operator may meanwhile have changed the data
 * that the part would write.
 */
export async function workOnPart(
  { runId, part: { step, id } }: StageRequest & { part: NonNullable<StageRequest["part"]> },
  work: (id: string) => Promise<void>,
  { runs, partsQueue }: Pick<DividedStepPorts, "runs" | "partsQueue">,
): Promise<void> {
  const tally = stepTallyName(step);
  if ((await runs.openIds(runId, tally)).includes(id)) await work(id);
  const { opened, closed } = await runs.updateTally(runId, tally, { closed: [id] });
  if (opened === closed) await partsQueue.send({ runId });
}
