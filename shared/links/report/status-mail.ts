import { html } from "hono/html";
import { distinctAddresses } from "../../core/mail-address.ts";
import { mailHtml } from "../../core/mail-html.ts";
import type { Mail } from "../../mail/mailer.ts";
import type { Collection } from "../status/collection.ts";
import type { StatusChange } from "../status/link-status.ts";
import { changeTypeOf } from "./statistics.ts";

/**
 * The mail about a change of a collection.
 * @param globalRecipients the addresses that get the mails of all collections
 */
export function buildStatusMail(
  {
    collectionId,
    title,
    recipients,
    hold,
  }: Pick<Collection, "collectionId" | "title" | "recipients" | "hold">,
  statusChange: StatusChange,
  globalRecipients: string[],
): Mail {
  const change = changeTypeOf(statusChange.status);
  const lines = [
    `The collection "${title}" (${collectionId}) was ${change} at ${statusChange.since}.`,
    `Reason: ${statusChange.reason}.`,
    hold ? describeHeld : describeStatus(statusChange),
    `What operators can do: ${operatorActions(statusChange, hold)
      .map(([action, effect]) => `POST /collections/${collectionId}/${action} ${effect}`)
      .join("; ")}. GET /collections/${collectionId} shows its status.`,
  ];
  return {
    id: `collection.${collectionId}.${statusChange.checkId}`,
    to: distinctAddresses([...globalRecipients, ...recipients]),
    subject: `Ingather: ${title} was ${change}`,
    text: `${lines.join("\n")}\n`,
    html: mailHtml(html`${lines.map((line) => html`<p>${line}</p>\n`)}`),
  };
}

const describeHeld =
  "Searches leave out its records; they are available by their ids. Nothing is checked until it is released.";

function describeStatus({ status, nextAttemptAt }: StatusChange): string {
  switch (status) {
    case "active":
      return "Searches find its records again.";
    case "suppressed":
      return `Searches leave out its records; they are available by their ids. Every sweep checks it, and it becomes active again when a link is alive. Its next attempt is at ${nextAttemptAt}.`;
    case "deleted":
      return "It is not checked any more. Nothing is erased; an operator can restore it.";
  }
}

/** Actions of the API and their effects. */
function operatorActions({ status }: StatusChange, isHeld: boolean): [action: string, effect: string][] {
  if (isHeld) return [["release", "ends the hold"]];
  const hold: [string, string] = ["hold", "suppresses it, unchecked, until /release"];
  return status === "active" ? [hold] : [["restore", "makes it active"], hold];
}
