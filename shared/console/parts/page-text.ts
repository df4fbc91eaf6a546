import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import type { Html, PageRequest } from "../page.ts";

/** The text of a harvested page as the API returns it, without markup. */
export type PageText = NonNullable<
  Answer<"GET /sources/{id}/preview/{previewId}">["records"][number]["page"]
>;

/** The length of the excerpt of each page, where several pages are shown. */
const excerptChars = 900;

/** Renders the beginning of a page's text; nothing for a page that has only metadata. */
export function pageExcerpt({ blocks }: PageText): Html {
  let left = excerptChars;
  const shown = blocks.filter(({ text }) => {
    const fits = left > 0;
    left -= text.length;
    return fits;
  });
  return blockList(shown.map(({ kind, text }) => ({ kind, text: shorten(text) })));
}

/** Renders the complete content that was read of a page: its text, and its metadata as a table. */
export function wholePage({ blocks, metadata, isShortened }: PageText, { texts }: PageRequest): Html {
  return html`${blockList(blocks)}
${
  metadata.length === 0
    ? ""
    : html`<h3>${texts.preview.metadata}</h3><dl class="pairs">${metadata.map(({ name, content }) => html`<dt>${name}</dt><dd>${content}</dd>`)}</dl>`
}${isShortened ? html`<p class="quiet">${texts.preview.shortened}</p>` : ""}`;
}

function blockList(blocks: PageText["blocks"]): Html {
  if (blocks.length === 0) return html``;
  return html`<blockquote>${blocks.map(({ kind, text }) => (kind === "heading" ? html`<p><strong>${text}</strong></p>` : html`<p>${text}</p>`))}</blockquote>`;
}

function shorten(text: string): string {
  return text.length > excerptChars ? `${text.slice(0, excerptChars).toWellFormed()} …` : text;
}
