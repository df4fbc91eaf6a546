import { html } from "hono/html";
import type { Html } from "../page.ts";

/**
 * Renders a link to another site. If the address is not an http or https URL, only the text is rendered, because
 * harvested addresses may contain anything.
 */
export function outside(address: string, text: string = address, kind?: "button"): Html {
  const { protocol } = URL.parse(address) ?? {};
  if (protocol !== "http:" && protocol !== "https:") return kind === "button" ? html`` : html`${text}`;
  return html`<a href="${address}" rel="noreferrer"${kind ? html` class="${kind}"` : ""}>${text}</a>`;
}
