import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import { decomposeUnverifiedJwt } from "aws-jwt-verify/jwt";
import { JwtVerifier } from "aws-jwt-verify/jwt-verifier";
import * as z from "zod";
import { createOwnHttp, type OwnResponse } from "../../adapters/sign-in/own-http.ts";
import { PlatformError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { TokenIssuer, TokenSet } from "./ports.ts";

interface CognitoIssuerOptions {
  /** The issuer that tokens name. */
  issuer: string;
  /** The address of the issuer's keys, as a JSON Web Key Set. */
  keysUrl: string;
  /** The domain of the user pool. */
  signInUrl: string;
  clientId: string;
}

const tokens = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
});

/**
 * Creates the issuer for a user pool. The console's client in the pool is public and uses PKCE.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html
 */
export function cognitoIssuer({ issuer, keysUrl, signInUrl, clientId }: CognitoIssuerOptions): TokenIssuer {
  const ask = createOwnHttp([new URL(keysUrl).origin, new URL(signInUrl).origin]);
  const jwksCache = new SimpleJwksCache({
    fetcher: {
      fetch: async (url) => {
        const { body } = await ask({ method: "GET", url });
        return new TextEncoder().encode(body).buffer as ArrayBuffer;
      },
    },
  });
  const verifier = JwtVerifier.create(
    {
      issuer,
      jwksUri: keysUrl,
      // Access tokens of Cognito name their client in `client_id` instead.
      audience: null,
      customJwtCheck: ({ payload }) => {
        if (payload.token_use !== "access" || payload.client_id !== clientId) {
          throw new Error("it is not an access token of the console's client");
        }
      },
    },
    { jwksCache },
  );

  const post = (path: string, fields: Record<string, string>) =>
    ask({
      method: "POST",
      url: signInUrl + path,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
    });

  return {
    authorizeUrl: ({ state, challenge, redirectUri }) =>
      `${signInUrl}/oauth2/authorize?${new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: "openid email",
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
      })}`,
    exchange: async ({ code, verifier, redirectUri }) =>
      readTokens(
        await post("/oauth2/token", {
          grant_type: "authorization_code",
          code,
          code_verifier: verifier,
          redirect_uri: redirectUri,
        }),
      ),
    refresh: async (refreshToken) =>
      readTokens(await post("/oauth2/token", { grant_type: "refresh_token", refresh_token: refreshToken })),
    revoke: async (refreshToken) => {
      await post("/oauth2/revoke", { token: refreshToken });
    },
    signOutUrl: (returnTo) =>
      `${signInUrl}/logout?${new URLSearchParams({ client_id: clientId, logout_uri: returnTo })}`,
    verify: async (accessToken) => {
      try {
        return await verifier.verify(accessToken);
      } catch (error) {
        if (error instanceof PlatformError) throw error;
        return undefined;
      }
    },
  };
}

/** @throws PlatformError when the issuer fails instead of refusing the request */
function readTokens({ status, body }: OwnResponse): TokenSet | undefined {
  if (status === 400 || status === 401) return undefined;
  const { data } = tokens.safeParse(parseJson(body));
  if (status !== 200 || data === undefined) {
    throw new PlatformError(`the issuer of tokens answered ${status}`);
  }
  return {
    accessToken: data.access_token,
    accessSeconds: data.expires_in,
    ...(data.refresh_token !== undefined && { refreshToken: data.refresh_token }),
    ...(data.id_token !== undefined && { identity: decomposeUnverifiedJwt(data.id_token).payload }),
  };
}
