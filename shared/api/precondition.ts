import type { Context } from "hono";
import { refuse } from "./answer.ts";
import { etagOfRevision, listedTags } from "./etag.ts";

/** What a request's `If-Match` requires: any version, or the one with this ETag. */
export interface Precondition {
  isMetBy(etag: string): boolean;
}

/**
 * The precondition of a request; undefined when it has none. Weak ETags never match. Of the ETag of an answer, only the
 * revision counts: a link status, say, changes without an edit.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.1
 */
export function readPrecondition(context: Context): Precondition | undefined {
  const header = context.req.header("if-match");
  if (header === undefined) return undefined;
  const listed = new Set(listedTags(header).map((tag) => tag.replace(/\.[^."]*"$/, '"')));
  return { isMetBy: (etag) => listed.has("*") || listed.has(etag) };
}

/** Whether a request is meant for a revision of what it changes; undefined when it does not say. */
export function readMeant(context: Context): ((revision: number | undefined) => boolean) | undefined {
  const precondition = readPrecondition(context);
  return precondition && ((revision) => precondition.isMetBy(etagOfRevision(revision)));
}

/**
 * Whether a request may only create what does not exist.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.2
 */
export function mayOnlyCreate(context: Context): boolean {
  return context.req.header("if-none-match")?.trim() === "*";
}

/** 412: it has been written since the caller read it. */
export function refuseStale(context: Context, what: string): Response {
  const field = mayOnlyCreate(context) ? "If-None-Match" : "If-Match";
  const value = context.req.header(field);
  const detail = `${what} has been written since: get it again, and repeat the change`;
  return refuse(context, 412, { detail, field, value });
}
