import * as z from "zod";

/** The context of a request for a file, for the reader of its response. */
export const itemContext = z.object({
  sourceId: z.string(),
  documentId: z.string(),
  itemId: z.string(),
  /** The URL as the document contains it. */
  url: z.string(),
  documentVersion: z.number().int(),
  maxBytes: z.number().int(),
  /** The parts received so far, from first to last, when the download was interrupted. */
  pieces: z.array(z.object({ key: z.string(), sizeBytes: z.number().int() })),
  /** The ETag of the file to which the parts belong. */
  etag: z.string().optional(),
  contentType: z.string().optional(),
  /** Set when the file belongs to a FILE source: it is read as this upload, for this poll. */
  upload: z.object({ uploadId: z.string(), runId: z.string() }).optional(),
});
export type ItemContext = z.output<typeof itemContext>;
