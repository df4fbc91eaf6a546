import { html } from "hono/html";
import { mailHtml } from "../../core/mail-html.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { Mail } from "../../records/mail/mailer.ts";
import type { HarvestJob, UnreadLinkCounts } from "../definitions/job.ts";

/**
 * Returns the mail about a job that ended early, captured nothing or left out links; undefined for any other
 * job.
 */
export function jobMail(
  { id, definitionId, limit, objects }: HarvestJob,
  {
    state,
    comment,
    unreadLinks,
  }: { state: "done" | "failed"; comment: string | undefined; unreadLinks: UnreadLinkCounts | undefined },
  to: string[],
): Mail | undefined {
  const what = comment ?? (limit === undefined ? undefined : `it has reached its limit of ${limit}`);
  if (what === undefined && unreadLinks === undefined) return undefined;
  const verb = state === "failed" ? "failed" : what === undefined ? "left out links" : "ended early";
  const text = [
    what === undefined ? `Job ${id} is done.` : `Job ${id} ${verb}: ${what}.`,
    `${pluralize(objects, "URL")} captured.`,
    ...(unreadLinks === undefined ? [] : [`Links not read: ${describeUnread(unreadLinks)}.`]),
  ].join(" ");
  return {
    id: `capture-job-${id}-ended`,
    to,
    subject: `Capture: job ${id} ${verb}`,
    text: `${text}\n\nDefinition: ${definitionId}\n`,
    html: mailHtml(html`<p>${text}</p>
<p>Definition: ${definitionId}</p>`),
  };
}

function describeUnread({ dropped, cutResources }: UnreadLinkCounts): string {
  const cut = `those of ${pluralize(cutResources, "resource")} beyond its limit of size`;
  return [...(dropped > 0 ? [String(dropped)] : []), ...(cutResources > 0 ? [cut] : [])].join(", and ");
}
