import { type Page, PageTooLarge } from "./page.ts";
import { readHtml } from "./page-html.ts";
import { markupOf, readText } from "./page-text.ts";
import { readXml } from "./page-xml.ts";
import type { XPath } from "./xpath.ts";

/** The largest body that is looked into. */
export const maxPageBytes = 5 * 1024 * 1024;

export type PageMatch = { type: "hit" } | { type: "no-hit" } | { type: "too-large"; detail: string };

/**
 * Decides whether an expression finds something in an answer's body. What is neither HTML nor XML has nothing to find.
 * XML that is not well-formed is read as HTML, as are pages without a media type.
 */
export function matchPage(xpath: XPath, body: Uint8Array, contentType: string | undefined): PageMatch {
  const markup = markupOf(contentType);
  if (markup === undefined) return { type: "no-hit" };
  if (body.byteLength > maxPageBytes) return { type: "too-large", detail: `more than ${maxPageBytes} bytes` };
  try {
    const source = readText(body, contentType);
    if (!xpath.mayHit(source)) return { type: "no-hit" };
    const page: Page = (markup === "xml" ? readXml(source) : undefined) ?? readHtml(source);
    return { type: xpath.hits(page) ? "hit" : "no-hit" };
  } catch (error) {
    if (error instanceof PageTooLarge) return { type: "too-large", detail: error.message };
    throw error;
  }
}
