import type { Context } from "hono";
import * as z from "zod";

const headers = {
  Location: "The path of the result",
  "Retry-After": "The seconds to wait before asking again",
};

/**
 * Describes the 202 response of work that continues after the response: the work's progress, and the address of its
 * result. `more` is the result so far.
 */
export function acceptedAnswer<const Status extends string, More extends z.ZodRawShape>(
  description: string,
  statuses: readonly Status[],
  more: More,
) {
  const body = z.strictObject({
    status: z.enum(statuses),
    result: z.string().describe("The path of the result, as in `Location`"),
    ...more,
  });
  return { description, body, headers };
}

/** Responds with 202. @param given.seconds the time after which asking again is useful */
export function accept(
  context: Context,
  given: { status: string; result: string; seconds?: number },
  more: object = {},
): Response {
  const { status, result, seconds = 2 } = given;
  context.header("Location", result);
  context.header("Retry-After", String(seconds));
  return context.json({ status, result, ...more }, 202);
}
