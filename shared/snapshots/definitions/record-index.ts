import * as z from "zod";
import type { Events } from "../../events/events.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { afterBuild } from "./activation.ts";
import { type BeginJobsPorts, beginJobs, makeJobs } from "./begin-jobs.ts";
import { update } from "./change-definition.ts";
import { type HarvestDefinition, mayCapture, withEvent } from "./definition.ts";
import { definitionMail } from "./definition-mail.ts";
import { indexEvent } from "./index-event.ts";

const builtIndex = z.strictObject({ name: z.string(), shards: z.int().min(1), entries: z.int().min(0) });

/** What a build of an index says when it begins, and when it ends. */
export const indexAnswer = z.union([
  z.strictObject({ definitionId: z.string(), generation: z.int(), state: z.literal("building") }),
  z.strictObject({
    definitionId: z.string(),
    generation: z.int(),
    missing: z.array(z.int()).describe("The jobs that could not be read"),
    index: builtIndex.optional(),
    error: z.string().optional().describe("Set when there is no index"),
  }),
]);

export interface RecordIndexPorts extends BeginJobsPorts {
  events: Events;
  mailer: Mailer;
  recipients: string[];
}

/**
 * Takes what a build of an index says over into its definition, unless it is outdated. With a ready index, the jobs begin.
 * Operators are mailed of an index that is not whole. Repeatable: the mail of a change has its id.
 */
export async function recordIndex(
  answer: z.output<typeof indexAnswer>,
  ports: RecordIndexPorts,
): Promise<void> {
  const { snapshots, clock } = ports;
  const stored = await update(answer.definitionId, snapshots, (definition) => {
    const changed = afterBuild(definition, answer);
    return changed === undefined ? definition : withEvent(changed, clock.now(), describe(changed, answer));
  });
  if (stored === undefined || "state" in answer || stored.definition.generation !== answer.generation) return;
  const event = indexEvent(stored.definition);
  if (event !== undefined) await ports.events.publish(event);
  await tellOperators(stored.definition, answer.generation, ports);
  if (!mayCapture(stored.definition)) return;
  await makeJobs(stored.definition.id, clock.now(), ports);
  await beginJobs(stored.definition.id, ports);
}

function describe({ index, comment }: HarvestDefinition, answer: z.output<typeof indexAnswer>): string {
  if ("state" in answer) return "index building";
  if (index === undefined || index.state === "failed") return comment ?? "index failed";
  return index.missing.length === 0
    ? `index ${index.state}`
    : `index ${index.state} without jobs ${index.missing.join(", ")}`;
}

/** Mails what operators should know of an index: that it is partial, has failed, or has expired. */
export async function tellOperators(
  definition: HarvestDefinition,
  generation: number,
  { mailer, recipients }: Pick<RecordIndexPorts, "mailer" | "recipients">,
): Promise<void> {
  const mail = definitionMail(definition, generation, recipients);
  if (mail !== undefined && mail.to.length > 0) await mailer.send(mail);
}
