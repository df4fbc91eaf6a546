import { html } from "hono/html";

/**
 * Builds the HTML of a mail. Styles are attributes of the elements, because mail programs drop those in the head.
 * @param body the content, escaped
 */
export function mailHtml(body: ReturnType<typeof html>): string {
  return String(html`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 sans-serif; color: #222; max-width: 46em">
${body}
</body></html>`);
}
