import type { Claims } from "../../api/role.ts";

/** The tokens of a session. */
export interface TokenSet {
  accessToken: string;
  accessSeconds: number;
  /** Absent after a refresh; the earlier refresh token then remains valid. */
  refreshToken?: string;
  /** The claims about the user in the identity token, which came directly from the issuer. */
  identity?: Claims;
}

/**
 * The issuer of tokens: a Cognito user pool with its domain.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 */
export interface TokenIssuer {
  authorizeUrl(asked: { state: string; challenge: string; redirectUri: string }): string;
  /** Returns undefined when the issuer refuses: the code is used or expired, or the verifier does not match. */
  exchange(code: { code: string; verifier: string; redirectUri: string }): Promise<TokenSet | undefined>;
  /** Returns undefined when the session has ended. */
  refresh(refreshToken: string): Promise<TokenSet | undefined>;
  revoke(refreshToken: string): Promise<void>;
  signOutUrl(returnTo: string): string;
  /** Returns the claims of a valid access token of the console's client; undefined for any other token. */
  verify(accessToken: string): Promise<Claims | undefined>;
}
