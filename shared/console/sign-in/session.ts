import { createHash } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { roleOf } from "../../api/role.ts";
import type { Caller } from "../page.ts";
import type { TokenIssuer, TokenSet } from "./ports.ts";

/** The longest duration of a session, which equals that of the pool's refresh tokens. */
export const sessionHours = 12;

/** The session of a request: its user and token. */
export interface Session {
  caller: Caller | undefined;
  accessToken: string;
  csrf: string;
}

const names = { access: "ingather-access", refresh: "ingather-refresh", name: "ingather-name" } as const;

/**
 * Returns the options of cookies that scripts cannot read and that requests of other sites do not send. Over https,
 * their names begin with `__Host-`, so that no other host of the domain can set them.
 * @see https://www.rfc-editor.org/rfc/rfc6265.html
 */
export function cookieOptions(isSecure: boolean): CookieOptions {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "Strict",
    secure: isSecure,
    ...(isSecure && { prefix: "host" as const }),
  };
}

/**
 * Returns the session in the cookies. An expired access token is renewed.
 * @param isSecure whether the console is served over https
 * @returns undefined when there is no session, or the session has ended
 */
export async function readSession(
  context: Context,
  { issuer, isSecure }: { issuer: TokenIssuer; isSecure: boolean },
): Promise<Session | undefined> {
  const prefix = isSecure ? ("host" as const) : undefined;
  const cookie = (name: string) => getCookie(context, name, prefix);
  const refreshToken = cookie(names.refresh);
  if (refreshToken === undefined) return undefined;
  let accessToken = cookie(names.access) ?? "";
  let claims = accessToken === "" ? undefined : await issuer.verify(accessToken);
  if (claims === undefined) {
    const renewed = await issuer.refresh(refreshToken);
    claims = renewed && (await issuer.verify(renewed.accessToken));
    if (renewed === undefined || claims === undefined) return undefined;
    writeSession(context, renewed, isSecure);
    accessToken = renewed.accessToken;
  }
  const role = roleOf(claims);
  const name = cookie(names.name) ?? String(claims.username ?? claims.sub ?? "");
  return { caller: role && { name, role }, accessToken, csrf: csrfOf(refreshToken) };
}

export function writeSession(context: Context, tokens: TokenSet, isSecure: boolean): void {
  const options = cookieOptions(isSecure);
  setCookie(context, names.access, tokens.accessToken, { ...options, maxAge: tokens.accessSeconds });
  if (tokens.refreshToken !== undefined) {
    setCookie(context, names.refresh, tokens.refreshToken, { ...options, maxAge: sessionHours * 3600 });
  }
  const { email } = tokens.identity ?? {};
  if (typeof email === "string") {
    setCookie(context, names.name, email, { ...options, maxAge: sessionHours * 3600 });
  }
}

/** @returns the refresh token of the ended session */
export function endSession(context: Context, isSecure: boolean): string | undefined {
  const refreshToken = getCookie(context, names.refresh, isSecure ? "host" : undefined);
  for (const name of Object.values(names)) deleteCookie(context, name, cookieOptions(isSecure));
  return refreshToken;
}

/**
 * Returns the token that every form of a session contains. It is derived from a value that only the session's cookie
 * contains, and does not change when access tokens are renewed.
 */
function csrfOf(refreshToken: string): string {
  return createHash("sha256").update(`ingather csrf\n${refreshToken}`).digest("base64url");
}
