import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { budgets } from "../../core/budgets.ts";
import { inboundResponse } from "../../web/request/response.ts";
import type { LookupAnswer } from "../lookups/lookup-answer.ts";
import type { OversizedPage, StoredPage } from "./stored-page.ts";

const packed = z.union([
  z.object({ oversizeBytes: z.int() }),
  z.object({
    readAt: z.iso.datetime(),
    response: inboundResponse,
    /** Each byte is a character, which compresses better than base64. */
    bodies: z.record(z.string(), z.string()),
    answers: z.record(
      z.string(),
      z.custom<LookupAnswer>((value) => typeof value === "object" && value !== null && "type" in value),
    ),
  }),
]);

/** Packs a page into a compressed object. Of a page above the budget, only the size is packed. */
export function packPage({ readAt, response, bodies, answers }: StoredPage): Uint8Array {
  const oversizeBytes = [...bodies.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const oversized = () => gzipSync(JSON.stringify({ oversizeBytes } satisfies OversizedPage));
  if (oversizeBytes > budgets.storedPageBytes) return oversized();
  const texts = [...bodies].map(([key, body]) => [key, Buffer.from(body).toString("latin1")]);
  const page = { readAt, response, bodies: Object.fromEntries(texts), answers: Object.fromEntries(answers) };
  const object = gzipSync(JSON.stringify(page));
  return object.byteLength > budgets.compressedPageBytes ? oversized() : object;
}

export function unpackPage(object: Uint8Array): StoredPage | OversizedPage {
  const page = packed.parse(JSON.parse(gunzipSync(object).toString()));
  if ("oversizeBytes" in page) return page;
  const { bodies, answers, ...rest } = page;
  return {
    ...rest,
    bodies: new Map(Object.entries(bodies).map(([key, text]) => [key, Buffer.from(text, "latin1")])),
    answers: new Map(Object.entries(answers)),
  };
}
