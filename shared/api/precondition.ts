import type { Context } from "hono";
import { refuse } from "./answer.ts";
import { etagOfRevision, listedTags } from "./etag.ts";

/** The requirement of a request's `If-Match`: any version, or the one with this ETag. */
export interface Precondition {
  isMetBy(etag: string): boolean;
}

/**
 * Returns the precondition of a request. Weak ETags never match. Only the revision in a response's ETag is compared,
 * because other content of a response, such as a link status, changes without an edit.
 * @returns undefined when the request has no precondition
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.1
 */
export function readPrecondition(context: Context): Precondition | undefined {
  const header = context.req.header("if-match");
  if (header === undefined) return undefined;
  const listed = new Set(listedTags(header).map((tag) => tag.replace(/\.[^."]*"$/, '"')));
  return { isMetBy: (etag) => listed.has("*") || listed.has(etag) };
}

/**
 * Returns the function that decides whether a request is meant for a revision of its resource.
 * @returns undefined when the request does not name a revision
 */
export function readMeant(context: Context): ((revision: number | undefined) => boolean) | undefined {
  const precondition = readPrecondition(context);
  return precondition && ((revision) => precondition.isMetBy(etagOfRevision(revision)));
}

/**
 * Decides whether a request may only create a resource that does not exist.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.2
 */
export function mayOnlyCreate(context: Context): boolean {
  return context.req.header("if-none-match")?.trim() === "*";
}

/** Responds with 412, because the resource has been written since the caller read it. */
export function refuseStale(context: Context, what: string): Response {
  const field = mayOnlyCreate(context) ? "If-None-Match" : "If-Match";
  const value = context.req.header(field);
  const detail = `${what} has been changed since it was read: get it again, and repeat the change`;
  return refuse(context, 412, { detail, field, value });
}
