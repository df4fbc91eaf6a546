import type { Events } from "../../records/events/events.ts";
import type { IndexAnswer } from "../index/build/index-answer.ts";
import { afterBuild } from "./activation.ts";
import { type HarvestDefinition, mayCapture, withEvent } from "./definition.ts";
import { indexEvent } from "./index-event.ts";
import { makeJobs, type SubmitJobsPorts, submitJobs } from "./submit-jobs.ts";
import { type OperatorMailPorts, tellOperators } from "./tell-operators.ts";
import { updateDefinition } from "./update-definition.ts";

interface RecordIndexPorts extends SubmitJobsPorts, OperatorMailPorts {
  events: Events;
}

/**
 * Records the result of an index build in its definition, unless it is outdated. If the index is ready, the
 * jobs begin. Operators get a mail about an incomplete index. Can be repeated, because the id of the mail is
 * that of the change.
 */
export async function recordIndex(answer: IndexAnswer, ports: RecordIndexPorts): Promise<void> {
  const { clock } = ports;
  const stored = await updateDefinition(answer.definitionId, ports, (definition) => {
    const changed = afterBuild(definition, answer);
    return changed === undefined ? definition : withEvent(changed, clock.now(), describe(changed, answer));
  });
  if (stored === undefined || "state" in answer || stored.definition.generation !== answer.generation) return;
  const event = indexEvent(stored.definition);
  if (event !== undefined) await ports.events.publish(event);
  await tellOperators(stored.definition, answer.generation, ports);
  if (!mayCapture(stored.definition)) return;
  await makeJobs(stored.definition.id, clock.now(), ports);
  await submitJobs(stored.definition.id, ports);
}

function describe({ index, comment }: HarvestDefinition, answer: IndexAnswer): string {
  if ("state" in answer) return "index building";
  if (index === undefined || index.state === "failed") return comment ?? "index failed";
  return index.missing.length === 0
    ? `index ${index.state}`
    : `index ${index.state} without jobs ${index.missing.join(", ")}`;
}
