import type { Context } from "hono";
import { digest } from "../core/digest.ts";
import { refuse } from "./answer.ts";

/** Of an answer with something that may be edited. */
export const etagHeader = { ETag: "Its version: send it as `If-Match` to change only this one" };

/** What a request's `If-Match` requires: any version, or the one with this ETag. */
export interface Precondition {
  isMetBy(etag: string): boolean;
}

/**
 * The precondition of a request; undefined when it has none. Weak ETags never match.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.1
 */
export function readPrecondition(context: Context): Precondition | undefined {
  const header = context.req.header("if-match");
  if (header === undefined) return undefined;
  const listed = new Set(header.match(/(?:W\/)?"[^"]*"|\*/g));
  return { isMetBy: (etag) => listed.has("*") || listed.has(etag) };
}

/** The ETag of what has a revision: 0 before its first conditional write. */
export function etagOfRevision(revision = 0): string {
  return `"${revision}"`;
}

/** The ETag of what has none: of its content. */
export function etagOfContent(content: object): string {
  return `"${digest(JSON.stringify(content))}"`;
}

/** 412: it has been written since the caller read it. */
export function refuseStale(context: Context, what: string): Response {
  const value = context.req.header("if-match");
  const detail = `${what} has been written since: get it again, and repeat the change on that`;
  return refuse(context, 412, { detail, field: "If-Match", value });
}
