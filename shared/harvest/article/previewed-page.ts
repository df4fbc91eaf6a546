// Input: the response to an article request of a preview. Output: the text of the page, which is shown beside the
// record. Called by read-article-response.ts.

import { type PageText, readPageText } from "../../formats/page/page-text.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { translationResultOf } from "../../web/translation/translation-options.ts";
import { loadBody } from "../load-body.ts";
import type { LinkedMetadataContext } from "./linked-metadata-request.ts";

/**
 * Returns the metadata and the text of an article's page.
 * @returns undefined when there is no page, as for responses of a translation server
 * @param linked set when the response is a record that the page links to
 */
export async function readPreviewedPage(
  { outcome }: InboundResponse,
  linked: LinkedMetadataContext | undefined,
  bodies: BodyReader,
): Promise<PageText | undefined> {
  if (linked !== undefined) return readPageText(await bodies.load(linked.page.bodyKey), linked.page);
  if (outcome.type !== "answered" || translationResultOf(outcome) !== undefined) return undefined;
  return readPageText(await loadBody(outcome, bodies), { contentType: outcome.headers["content-type"] });
}
