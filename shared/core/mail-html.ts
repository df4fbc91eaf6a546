import { html } from "hono/html";

/**
 * A mail in HTML: styles are attributes of the elements, because mail programs drop those of the head. @param body its
 * content, escaped
 */
export function mailHtml(body: ReturnType<typeof html>): string {
  return String(html`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 sans-serif; color: #222; max-width: 46em">
${body}
</body></html>`);
}
