import * as z from "zod";

/** What a request for a file carries to its reader. */
export const itemContext = z.object({
  sourceId: z.string(),
  documentId: z.string(),
  itemId: z.string(),
  /** As the document names it. */
  url: z.string(),
  documentVersion: z.number().int(),
  maxBytes: z.number().int(),
  /** The parts so far, first to last, when the download was interrupted. */
  pieces: z.array(z.object({ key: z.string(), sizeBytes: z.number().int() })),
  /** The ETag of the file that the parts belong to. */
  etag: z.string().optional(),
  contentType: z.string().optional(),
  /** Set when the file is a source of its own: it is read as this upload, for this poll. */
  upload: z.object({ uploadId: z.string(), runId: z.string() }).optional(),
});
export type ItemContext = z.output<typeof itemContext>;
