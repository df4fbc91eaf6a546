import * as z from "zod";

/** Names the job that a function must begin, end or pack. */
export const jobMessage = z.object({ jobId: z.int() });
export type JobMessage = z.output<typeof jobMessage>;
