import { readHtml } from "../../formats/tree/html.ts";
import { PageTooLarge, type PageTree } from "../../formats/tree/page-tree.ts";
import { readXml } from "../../formats/tree/xml.ts";
import type { XPath } from "../../formats/xpath/xpath.ts";
import { markupOf } from "../../web/encoding/markup.ts";
import { decodeText } from "../page/decode-text.ts";

/** The largest body in which an XPath is evaluated. */
export const maxPageBytes = 5 * 1024 * 1024;

/**
 * The result of an expression on a page. `text` is the text of the first node that was found, or the value of the
 * expression.
 */
type PageMatch = { type: "hit"; text: string } | { type: "no-hit" } | { type: "too-large"; detail: string };

/** Returns whether a page must be parsed to decide whether an expression finds something on it. */
export function mayHitPage(xpath: XPath, body: Uint8Array, contentType: string | undefined): boolean {
  if (markupOf(contentType) === undefined || body.byteLength > maxPageBytes) return false;
  return xpath.mayHit(decodeText(body, contentType));
}

/**
 * Decides whether an expression finds something on a page. Only HTML and XML pages can match. XML that is not
 * well-formed and pages without a media type are read as HTML.
 */
export function matchPage(xpath: XPath, body: Uint8Array, contentType: string | undefined): PageMatch {
  const markup = markupOf(contentType);
  if (markup === undefined) return { type: "no-hit" };
  if (body.byteLength > maxPageBytes) return { type: "too-large", detail: `more than ${maxPageBytes} bytes` };
  try {
    const source = decodeText(body, contentType);
    if (!xpath.mayHit(source)) return { type: "no-hit" };
    const page: PageTree = (markup === "xml" ? readXml(source) : undefined) ?? readHtml(source);
    const text = xpath.find(page);
    return text === undefined ? { type: "no-hit" } : { type: "hit", text };
  } catch (error) {
    if (error instanceof PageTooLarge) return { type: "too-large", detail: error.message };
    throw error;
  }
}
