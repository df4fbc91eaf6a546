import { html } from "hono/html";
import { mailHtml } from "../../core/mail-html.ts";
import type { NetworkState } from "./probe-network.ts";

/** Returns the mail about a change of the network. */
export function networkMail(change: NetworkState, to: string[]) {
  const { state, since, why } = change;
  const meaning =
    state === "down"
      ? "Harvesting and link checking wait. Nothing is lost, and no link or host is judged. They resume automatically when the network is up again; a mail will report it."
      : "Harvesting and link checking resume where they stopped.";
  return {
    id: `network.${state}.${since.replaceAll(/\W/g, "")}`,
    to,
    subject: `Ingather: the network is ${state.toUpperCase()} since ${since.slice(0, 16).replace("T", " ")} UTC`,
    text: [`The network is ${state} since ${since}.`, `Why: ${why}`, "", meaning, ""].join("\n"),
    html: mailHtml(html`<p>The network is <strong>${state}</strong> since ${since}.</p>
<p>Why: ${why}</p>
<p>${meaning}</p>`),
  };
}
