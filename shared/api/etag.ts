import type { Context } from "hono";
import { digest } from "../core/digest.ts";

/** The header of a response with an editable resource. */
export const etagHeader = {
  ETag: "The version of the resource. Send it as `If-Match` to change only this version",
};

/** The ETag of what has a revision: 0 before its first conditional write. */
export function etagOfRevision(revision = 0): string {
  return `"${revision}"`;
}

/** The ETag of what has none: of its content. */
export function etagOfContent(content: object): string {
  return `"${digest(JSON.stringify(content))}"`;
}

/**
 * Completes an answer to a `GET` whose ETag is a revision: the ETag gets a digest of the body, as a revision starts
 * again for what is deleted and created again, and answers also show what has no revision. A caller who has that very
 * answer gets 304.
 */
export async function withEtagOfBody(context: Context, answer: Response): Promise<Response> {
  const revision = answer.headers.get("etag");
  if (answer.status !== 200 || revision === null) return answer;
  const etag = revision.replace(/"$/, `.${digest(await answer.clone().text())}"`);
  answer.headers.set("etag", etag);
  const known = listedTags(context.req.header("if-none-match") ?? "").map((tag) => tag.replace(/^W\//, ""));
  if (!known.includes(etag) && !known.includes("*")) return answer;
  const headers = new Headers(answer.headers);
  headers.delete("content-type");
  return new Response(null, { status: 304, headers });
}

/** The ETags of a header. */
export function listedTags(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
}
