import { inParallel } from "../../core/in-parallel.ts";
import { itemsInPart } from "./parts.ts";
import type { RunStore } from "./run-store.ts";
import type { DividedStepName, StageQueue, StageRequest } from "./stages.ts";
import { stepTallyName } from "./tally-names.ts";

/** How the documents of a run are divided. */
export interface Division {
  /** Documents in a part, the work of one message. */
  partSize: number;
  /**
   * A step of at most this number of documents needs no messages: the stage does its parts itself, one after the other.
   */
  maxInline: number;
}

const defaultDivision: Division = { partSize: itemsInPart, maxInline: 4 * itemsInPart };

/** A step of a stage whose parts may be worked on in any order, side by side, and repeatedly. */
export interface DividedStep {
  step: DividedStepName;
  /** The ids of the parts; the same in every repeat. */
  ids: string[];
  /** Documents in all parts. */
  documents: number;
  work(id: string): Promise<void>;
}

export interface DividedStepPorts {
  runs: Pick<RunStore, "updateTally" | "openIds">;
  /** The queue of the stage. */
  partsQueue: StageQueue;
  /** Absent: as deployed. */
  division?: Division;
}

export function divisionOf({ division }: Pick<DividedStepPorts, "division">): Division {
  return division ?? defaultDivision;
}

/**
 * Does a step, or requests its open parts: each part is a message, and the last one to end requests the stage again. A
 * stage that is requested again requests only the parts that are left.
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

/** Messages sent at once: full batches. */
const maxParallelSends = 40;

/**
 * Does a part that was requested, and counts it. The last part requests the stage again. A part may be requested twice;
 * a duplicate is skipped when the part is done, as a later step or an operator may have changed since what it would
 * write.
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
