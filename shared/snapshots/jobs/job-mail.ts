import { html } from "hono/html";
import { mailHtml } from "../../core/mail-html.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { Mail } from "../../records/mail/mailer.ts";
import type { HarvestJob } from "../definitions/job.ts";

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
    html: mailHtml(html`<p>${text}</p>
<p>Definition: ${definitionId}</p>`),
  };
}
