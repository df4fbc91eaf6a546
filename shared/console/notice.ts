import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { parseJson } from "../core/parse-json.ts";
import type { Notice } from "./page.ts";
import { cookieOptions } from "./sign-in/session.ts";

const cookieName = "ingather-notice";
const path = /^\/console\//;

const notice = z.strictObject({
  text: z.string(),
  undo: z
    .strictObject({
      to: z.string().regex(path),
      fields: z.record(z.string(), z.string()),
      label: z.string().optional(),
    })
    .optional(),
});

/** A cookie has at most 4,096 bytes, including its name and attributes. */
const maxBytes = 3600;

/**
 * Keeps a notice for the page to which the browser is redirected. If the notice is too large, its undo is dropped
 * first, then the end of its text.
 */
export function keepNotice(context: Context, { text, undo }: Notice, isSecure: boolean): void {
  const encoded = [{ text, undo }, { text }, { text: text.slice(0, 500) }]
    .map((each) => Buffer.from(JSON.stringify(each)).toString("base64url"))
    .find((each) => each.length <= maxBytes);
  if (encoded !== undefined)
    setCookie(context, cookieName, encoded, { ...cookieOptions(isSecure), maxAge: 60 });
}

/** Returns the notice for this page and removes it, so that it is shown only once. */
export function takeNotice(context: Context, isSecure: boolean): Notice | undefined {
  const text = getCookie(context, cookieName, isSecure ? "host" : undefined);
  if (text === undefined) return undefined;
  deleteCookie(context, cookieName, cookieOptions(isSecure));
  const { data } = notice.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  return data && { text: data.text, ...(data.undo && { undo: data.undo }) };
}
