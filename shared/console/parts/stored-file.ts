import { html } from "hono/html";
import type { ApiProblem } from "../api.ts";
import type { PageAnswer } from "../page.ts";

/**
 * Redirects to a stored file, using the response of a route that redirects to it. The browser then downloads the file
 * from the store.
 * @param name the title of the page that explains why there is no file
 */
export function storedFile(
  done: { ok: true; headers: Readonly<Record<string, string>> } | { ok: false; problem: ApiProblem },
  name: string,
): PageAnswer {
  const location = done.ok ? done.headers.location : undefined;
  if (location !== undefined) return { download: location };
  const detail = done.ok ? `${name} has no address` : done.problem.detail;
  return { title: name, body: html`<p class="empty">${detail}</p>`, status: 404 };
}
