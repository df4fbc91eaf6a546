import type { Context } from "hono";
import { digest } from "../core/digest.ts";

/** The header of a response that contains an editable resource. */
export const etagHeader = {
  ETag: "The version of the resource. Send it as `If-Match` to change only this version",
};

/** Returns the ETag of a resource with revisions. The revision is 0 before the first conditional write. */
export function etagOfRevision(revision = 0): string {
  return `"${revision}"`;
}

/** Returns the ETag of a resource without revisions, which is a digest of its content. */
export function etagOfContent(content: object): string {
  return `"${digest(JSON.stringify(content))}"`;
}

/**
 * Completes a response to a `GET` whose ETag is a revision: adds a digest of the body to the ETag. The revision is not
 * sufficient, because it starts again when a resource is deleted and created again, and because responses also contain
 * data without a revision. A caller that already has the same response gets 304.
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

/** Returns the ETags in a header. */
export function listedTags(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
}
