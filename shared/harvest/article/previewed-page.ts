// In: the response to an article request of a preview. Out: what the page says, to be shown beside its record. Called by
// read-article-response.ts.

import { type PageText, readPageText } from "../../formats/page/page-text.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { translationResultOf } from "../../web/translation/translation-options.ts";
import { loadBody } from "../load-body.ts";
import type { LinkedMetadataContext } from "./linked-metadata-request.ts";

/**
 * What the page of an article says; undefined when there is none, as for answers of a translation server.
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
