import { html } from "hono/html";
import type { Html } from "../page.ts";

/**
 * A link to another site; the text alone when its address is not an http or https URL, as harvested addresses may be
 * anything.
 */
export function outside(address: string, text: string = address, kind?: "button"): Html {
  const { protocol } = URL.parse(address) ?? {};
  if (protocol !== "http:" && protocol !== "https:") return kind === "button" ? html`` : html`${text}`;
  return html`<a href="${address}" rel="noreferrer"${kind ? html` class="${kind}"` : ""}>${text}</a>`;
}
