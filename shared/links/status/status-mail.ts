import { html } from "hono/html";
import { distinctAddresses } from "../../core/mail-address.ts";
import { mailHtml } from "../../core/mail-html.ts";
import type { Mail } from "../../records/mail/mailer.ts";
import type { Collection } from "./collection.ts";
import type { StatusChange } from "./link-status.ts";
import { changeTypeOf } from "./statistics.ts";
import type { Sweep } from "./stored-sweep.ts";

interface StatusMailContext {
  /** The recipients of mails about all collections. */
  globalRecipients: string[];
  /** The sweep that caused the change; absent when an operator caused it. */
  sweep?: Pick<Sweep, "samples" | "results"> | undefined;
  /** The URL of the console, without a trailing slash. */
  consoleUrl: string;
}

/** Builds the mail about a change of a collection. */
export function buildStatusMail(
  {
    collectionId,
    title,
    recipients,
    hold,
  }: Pick<Collection, "collectionId" | "title" | "recipients" | "hold">,
  statusChange: StatusChange,
  { globalRecipients, sweep, consoleUrl }: StatusMailContext,
): Mail {
  const change = changeTypeOf(statusChange.status);
  const page = `${consoleUrl}/collections/${encodeURIComponent(collectionId)}`;
  const before = [
    `The collection "${title}" (${collectionId}) was ${change} at ${statusChange.since}.`,
    `Reason: ${statusChange.reason}.`,
  ];
  const checked = statusChange.status === "active" ? [] : checkedLinks(sweep);
  const after = [hold ? describeHeld : describeStatus(statusChange)];
  const actions = [
    ...operatorActions(statusChange, hold).map(
      ([action, effect]) => `POST /collections/${collectionId}/${action} {"reason": "why"} ${effect}`,
    ),
    `GET /collections/${collectionId} shows its status`,
  ];
  const text = [
    ...before,
    ...(checked.length > 0
      ? [checkedTitle, ...checked.map(({ url, reason }) => `  ${url} (${reason})`)]
      : []),
    ...after,
    `Open it, or decide, in the console: ${page}`,
    apiTitle,
    ...actions.map((action) => `  ${action}`),
  ];
  return {
    id: `collection.${collectionId}.${statusChange.checkId}`,
    to: distinctAddresses([...globalRecipients, ...recipients]),
    subject: `Ingather: ${title} was ${change}`,
    text: `${text.join("\n")}\n`,
    html: mailHtml(html`${before.map((line) => html`<p>${line}</p>\n`)}${
      checked.length > 0
        ? html`<p>${checkedTitle}</p>
<ul>${checked.map(({ url, reason }) => html`<li><a href="${url}">${url}</a> (${reason})</li>`)}</ul>
`
        : ""
    }${after.map((line) => html`<p>${line}</p>\n`)}<p>Open it, or decide, <a href="${page}">in the console</a>.</p>
<p>${apiTitle}</p>
<ul>${actions.map((action) => html`<li><code>${action}</code></li>`)}</ul>`),
  };
}

const checkedTitle = "The links that were checked:";
const apiTitle = "With the API, and your reason:";

/** Returns the samples of a sweep, each with the finding of its check. */
function checkedLinks(sweep: StatusMailContext["sweep"]): { url: string; reason: string }[] {
  return (sweep?.samples ?? []).flatMap(({ checkId, url }) => {
    const reason = sweep?.results[checkId]?.reason;
    return reason === undefined ? [] : [{ url, reason }];
  });
}

const describeHeld =
  "Its records are suppressed in searches, and available by their ids. It is not checked until it is released.";

function describeStatus({ status, nextAttemptAt }: StatusChange): string {
  switch (status) {
    case "active":
      return "Searches find its records again.";
    case "suppressed":
      return `Its records are suppressed in searches, and available by their ids. Every sweep checks it, and it becomes active again when a link is alive. Its next attempt is at ${nextAttemptAt}.`;
    case "deleted":
      return "It is no longer checked. Nothing is erased; an operator can restore it.";
  }
}

/** Actions of the API and their effects. */
function operatorActions({ status }: StatusChange, isHeld: boolean): [action: string, effect: string][] {
  if (isHeld) return [["release", "ends the hold"]];
  const hold: [string, string] = ["hold", "suppresses it without checks, until /release"];
  return status === "active" ? [hold] : [["restore", "makes it active"], hold];
}
