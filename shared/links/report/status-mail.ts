import { html } from "hono/html";
import { distinctAddresses } from "../../core/mail-address.ts";
import type { Mail } from "../../mail/mailer.ts";
import type { Collection } from "../status/collection.ts";
import type { StatusChange } from "../status/link-status.ts";
import { changeTypeOf } from "./statistics.ts";

/**
 * The mail that tells of a change of a collection.
 * @param globalRecipients who is told of all collections
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
    `The collection "${title}" (${collectionId}) is ${change} since ${statusChange.since}.`,
    `Why: ${statusChange.reason}.`,
    hold ? describeHeld : describeStatus(statusChange),
    `What operators can do: ${operatorActions(statusChange, hold)
      .map(([action, effect]) => `POST /collections/${collectionId}/${action} ${effect}`)
      .join("; ")}. GET /collections/${collectionId} says where it stands.`,
  ];
  return {
    id: `collection.${collectionId}.${statusChange.checkId}`,
    to: distinctAddresses([...globalRecipients, ...recipients]),
    subject: `Ingather: ${title} is ${change}`,
    text: `${lines.join("\n")}\n`,
    html: String(html`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 sans-serif; color: #222; max-width: 46em">
${lines.map((line) => html`<p>${line}</p>\n`)}</body></html>`),
  };
}

const describeHeld =
  "Its records are left out of searches, and are there by their ids. Nothing is checked until it is released.";

function describeStatus({ status, nextAttemptAt }: StatusChange): string {
  switch (status) {
    case "active":
      return "Its records are found again.";
    case "suppressed":
      return `Its records are left out of searches, and are there by their ids. It is looked at with every sweep, and comes back by itself; its next attempt is at ${nextAttemptAt}.`;
    case "deleted":
      return "It is not checked any more. Nothing is erased: an operator can restore it.";
  }
}

/** Routes of the API, with what they do. */
function operatorActions({ status }: StatusChange, isHeld: boolean): [action: string, effect: string][] {
  if (isHeld) return [["release", "ends that"]];
  const hold: [string, string] = ["hold", "leaves it out of searches, unchecked, until /release"];
  return status === "active" ? [hold] : [["restore", "makes it active"], hold];
}
