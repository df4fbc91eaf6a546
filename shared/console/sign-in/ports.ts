import type { Claims } from "../../api/role.ts";

/** The tokens of a session. */
export interface TokenSet {
  accessToken: string;
  accessSeconds: number;
  /** Absent after a refresh: the earlier one stays. */
  refreshToken?: string;
  /** The claims of the identity token about the user; it came from the issuer itself. */
  identity?: Claims;
}

/**
 * The issuer of tokens: a Cognito user pool with its domain.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 */
export interface TokenIssuer {
  authorizeUrl(asked: { state: string; challenge: string; redirectUri: string }): string;
  /** Undefined when the issuer refuses: the code is used or expired, or the verifier is another's. */
  exchange(code: { code: string; verifier: string; redirectUri: string }): Promise<TokenSet | undefined>;
  /** Undefined when the session has ended. */
  refresh(refreshToken: string): Promise<TokenSet | undefined>;
  revoke(refreshToken: string): Promise<void>;
  signOutUrl(returnTo: string): string;
  /** The claims of an access token of the console's client that is valid now; undefined otherwise. */
  verify(accessToken: string): Promise<Claims | undefined>;
}
