import { html } from "hono/html";
import { mailHtml } from "../../core/mail-html.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { Mail } from "../../records/mail/mailer.ts";
import type { DefinitionSummary } from "./definition.ts";

/**
 * Returns the mail about an index that is incomplete or unavailable; undefined if there is nothing to report.
 */
export function definitionMail(
  { id, title, index, comment, isActive }: DefinitionSummary,
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
    html: mailHtml(html`<p>${text}</p>
<p>Definition: ${id}<br>State: ${state}</p>`),
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
