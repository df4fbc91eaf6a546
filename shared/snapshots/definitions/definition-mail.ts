import { html } from "hono/html";
import { pluralize } from "../../core/pluralize.ts";
import type { Mail } from "../../mail/mailer.ts";
import type { HarvestDefinition } from "./definition.ts";
import type { HarvestJob } from "./job.ts";

/** The mail about an index that is not whole; undefined when there is nothing to tell. */
export function definitionMail(
  { id, title, index, comment, isActive }: HarvestDefinition,
  generation: number,
  to: string[],
): Mail | undefined {
  const what = describe();
  if (what === undefined) return undefined;
  const { subject, text } = what;
  const state = isActive ? "active" : "deactivated";
  return {
    id: `snapshot-index-${id}-${generation}-${index?.state ?? "failed"}`,
    to,
    subject: `Snapshot ${title}: ${subject}`,
    text: `${text}\n\nDefinition: ${id}\nState: ${state}\n`,
    html: String(html`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 sans-serif; color: #222; max-width: 46em">
<p>${text}</p>
<p>Definition: ${id}<br>State: ${state}</p>
</body></html>`),
  };

  function describe(): { subject: string; text: string } | undefined {
    if (index?.state === "ready-partial") {
      const missing = `${pluralize(index.missing.length, "job")} of ${index.jobIds.length}`;
      return {
        subject: "index ready, but partial",
        text: `The deduplication index lacks ${missing}: ${index.missing.join(", ")}. The harvest starts; content of these jobs is stored again.`,
      };
    }
    if (!isActive && comment !== undefined) return { subject: "deactivated", text: `${comment}.` };
    return undefined;
  }
}

/** The mail about a job that has ended early or captured nothing; undefined of any other. */
export function jobMail(
  { id, definitionId, limit, objects }: HarvestJob,
  { state, comment }: { state: "done" | "failed"; comment: string | undefined },
  to: string[],
): Mail | undefined {
  const what = comment ?? (limit === undefined ? undefined : `it has reached its limit of ${limit}`);
  if (what === undefined) return undefined;
  const verb = state === "done" ? "ended early" : "failed";
  const text = `Job ${id} ${verb}: ${what}. ${pluralize(objects, "URL")} captured.`;
  return {
    id: `capture-job-${id}-ended`,
    to,
    subject: `Capture: job ${id} ${verb}`,
    text: `${text}\n\nDefinition: ${definitionId}\n`,
    html: String(html`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 sans-serif; color: #222; max-width: 46em">
<p>${text}</p>
<p>Definition: ${definitionId}</p>
</body></html>`),
  };
}
