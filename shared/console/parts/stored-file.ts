import { html } from "hono/html";
import type { Api } from "../api.ts";
import type { PageAnswer } from "../page.ts";

/**
 * Leads to a stored file by a route of the API that redirects to it: the browser fetches it from the store.
 * @param name the title of the page that says why there is none
 */
export async function storedFile(api: Api, path: string, name: string): Promise<PageAnswer> {
  const done = await api.send("GET", path);
  const location = done.ok ? done.headers.location : undefined;
  if (location !== undefined) return { download: location };
  const detail = done.ok ? `${name} has no address` : done.problem.detail;
  return { title: name, body: html`<p class="empty">${detail}</p>`, status: 404 };
}
