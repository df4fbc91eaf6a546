import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { parseJson } from "../../core/parse-json.ts";
import { ownAddress } from "./own-address.ts";
import type { TokenIssuer } from "./ports.ts";
import { cookieOptions, writeSession } from "./session.ts";

/** The address to which the issuer redirects the browser. It is registered by the infrastructure code. */
export const signedInPath = "/console/signed-in";

const attemptCookie = "ingather-sign-in";
const attemptSeconds = 600;

/** The data that must be available when the browser returns. */
const attempt = z.strictObject({ state: z.string(), verifier: z.string(), back: z.string() });

interface SignInParts {
  issuer: TokenIssuer;
  /** The origin of the console, such as `https://….execute-api.….amazonaws.com`. */
  origin: string;
}

const isSecure = (origin: string) => origin.startsWith("https:");

/**
 * Sends the browser to the issuer, with the authorization code flow and PKCE.
 * @see https://www.rfc-editor.org/rfc/rfc7636.html
 */
export function startSignIn(context: Context, { issuer, origin }: SignInParts): Response {
  const state = randomBytes(24).toString("base64url");
  const verifier = randomBytes(32).toString("base64url");
  const back = ownAddress(context.req.query("back"), origin);
  setCookie(context, attemptCookie, toText({ state, verifier, back }), {
    ...cookieOptions(isSecure(origin)),
    // The issuer is another site, so the browser would not send a strict cookie after the issuer's redirect.
    sameSite: "Lax",
    maxAge: attemptSeconds,
  });
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return context.redirect(issuer.authorizeUrl({ state, challenge, redirectUri: origin + signedInPath }), 303);
}

/**
 * Exchanges the code that the issuer sent, and starts the session. @returns the address to continue at; undefined when
 * the sign-in failed
 */
export async function finishSignIn(
  context: Context,
  { issuer, origin }: SignInParts,
): Promise<string | undefined> {
  const prefix = isSecure(origin) ? ("host" as const) : undefined;
  const known = attempt.safeParse(fromText(getCookie(context, attemptCookie, prefix)));
  deleteCookie(context, attemptCookie, cookieOptions(isSecure(origin)));
  const { code, state } = context.req.query();
  if (!known.success || code === undefined || !isSame(known.data.state, state)) return undefined;
  const { verifier, back } = known.data;
  const tokens = await issuer.exchange({ code, verifier, redirectUri: origin + signedInPath });
  if (tokens === undefined || (await issuer.verify(tokens.accessToken)) === undefined) return undefined;
  writeSession(context, tokens, isSecure(origin));
  return ownAddress(back, origin);
}

/** Compares secrets in constant time. */
export function isSame(wanted: string, given: string | undefined): boolean {
  const [a, b] = [wanted, given ?? ""].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function toText(value: z.output<typeof attempt>): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function fromText(text: string | undefined): unknown {
  return text === undefined ? undefined : parseJson(Buffer.from(text, "base64url").toString());
}
