import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import type { Resolver } from "../cloudformation/resolver.ts";
import type { MachineClient } from "./machine-client.ts";
import type { JwtConfiguration, Tokens } from "./tokens.ts";

/** A person who signs in. */
export interface LocalUser {
  readonly email: string;
  /** The groups of the user, such as `operator`. */
  readonly groups: readonly string[];
}

export interface TokenIssuerParts {
  readonly tokens: Tokens;
  /** The tokens that the API's authorizer accepts; undefined if no route requires a token. */
  readonly authorizer: JwtConfiguration | undefined;
  /** The client of the templates that signs people in. */
  readonly client: ConsoleClient | undefined;
  readonly machine: MachineClient | undefined;
  readonly apiUrl: string;
}

interface ConsoleClient {
  readonly id: string;
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly user: LocalUser;
  readonly expiresAt: number;
}

const codeMs = 60_000;
const cookieName = "ingather-local-issuer";
const refreshSeconds = 12 * 3600;

/**
 * Signs people in instead of Cognito, with the same requests and claims. A one-time link replaces the
 * password. Codes and links are kept in memory; refresh tokens are signed, and remain valid after a restart.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 */
export class LocalTokenIssuer {
  private readonly links = new Map<string, LocalUser>();
  private readonly sessions = new Map<string, LocalUser>();
  private readonly codes = new Map<string, Code>();
  private readonly revoked = new Set<string>();
  private readonly parts: TokenIssuerParts;
  private readonly url: string;

  constructor(parts: TokenIssuerParts, url: string) {
    this.parts = parts;
    this.url = url;
  }

  /** Returns a link that signs this user in. It works once. */
  signInLink(user: LocalUser): string {
    const link = randomBytes(24).toString("base64url");
    this.links.set(link, user);
    return `${this.url}/sign-in?link=${link}`;
  }

  async answer(incoming: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", this.url);
    if (incoming.headers.host !== new URL(this.url).host) return refusal(403, "invalid_request");
    switch (`${incoming.method} ${pathname}`) {
      case "GET /.well-known/jwks.json":
        return json(200, { keys: [await this.parts.tokens.publicKey()] });
      case "GET /sign-in":
        return this.openLink(searchParams.get("link") ?? "");
      case "GET /oauth2/authorize":
        return this.authorize(searchParams, this.sessions.get(sessionOf(incoming) ?? ""));
      case "POST /oauth2/token":
        return this.token(new URLSearchParams(await text(incoming)), incoming.headers.authorization);
      case "POST /oauth2/revoke":
        this.revoked.add(new URLSearchParams(await text(incoming)).get("token") ?? "");
        return { status: 200 };
      case "GET /logout":
        return this.signOut(searchParams, sessionOf(incoming) ?? "");
      default:
        return refusal(404, "invalid_request");
    }
  }

  private openLink(link: string): Answer {
    const user = this.links.get(link);
    this.links.delete(link);
    if (user === undefined) return page(403, "This link was used before. `npm start` prints a new one.");
    const session = randomBytes(24).toString("base64url");
    this.sessions.set(session, user);
    return redirect(`${this.parts.apiUrl}/console/sign-in`, {
      "set-cookie": `${cookieName}=${session}; HttpOnly; SameSite=Lax; Path=/`,
    });
  }

  private authorize(asked: URLSearchParams, user: LocalUser | undefined): Answer {
    const { client } = this.parts;
    const redirectUri = asked.get("redirect_uri") ?? "";
    const isKnown = asked.get("client_id") === client?.id && client?.callbackUrls.includes(redirectUri);
    const challenge = asked.get("code_challenge");
    const isCode = asked.get("response_type") === "code" && asked.get("code_challenge_method") === "S256";
    if (!isKnown || !isCode || challenge === null) return refusal(400, "invalid_request");
    if (user === undefined) {
      return page(403, "Nobody is signed in here. Open the link that `npm start` prints first.");
    }
    const code = randomBytes(24).toString("base64url");
    this.codes.set(code, { challenge, redirectUri, user, expiresAt: Date.now() + codeMs });
    return redirect(
      `${redirectUri}?${new URLSearchParams({ code, state: asked.get("state") ?? "" }).toString()}`,
    );
  }

  private async token(asked: URLSearchParams, authorization: string | undefined): Promise<Answer> {
    const { client, authorizer } = this.parts;
    if (authorizer !== undefined && asked.get("grant_type") === "client_credentials") {
      return this.issueToMachine(asked, { authorization, authorizer });
    }
    if (authorizer === undefined || asked.get("client_id") !== client?.id) {
      return refusal(400, "invalid_client");
    }
    if (asked.get("grant_type") === "refresh_token") return this.refresh(asked, authorizer);
    const code = this.codes.get(asked.get("code") ?? "");
    this.codes.delete(asked.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(asked.get("code_verifier") ?? "")
      .digest("base64url");
    const isValid =
      asked.get("grant_type") === "authorization_code" &&
      code?.challenge === verifier &&
      code.redirectUri === asked.get("redirect_uri") &&
      code.expiresAt > Date.now();
    if (!isValid) return refusal(400, "invalid_grant");
    const exp = Math.floor(Date.now() / 1000) + refreshSeconds;
    const refreshToken = await this.parts.tokens.issue(
      { ...this.claims(code.user), token_use: "refresh", exp },
      forRefresh(authorizer),
    );
    return json(200, {
      ...(await this.issue(code.user, authorizer)),
      refresh_token: refreshToken,
    });
  }

  private async refresh(asked: URLSearchParams, authorizer: JwtConfiguration): Promise<Answer> {
    const token = asked.get("refresh_token") ?? "";
    const claims = this.revoked.has(token)
      ? undefined
      : await this.parts.tokens.verify(token, forRefresh(authorizer));
    if (claims === undefined) return refusal(400, "invalid_grant");
    const user = { email: String(claims.username), groups: claims["cognito:groups"] as string[] };
    return json(200, await this.issue(user, authorizer));
  }

  /** Issues a token to a machine. @see https://www.rfc-editor.org/rfc/rfc6749.html#section-4.4 */
  private async issueToMachine(
    asked: URLSearchParams,
    { authorization, authorizer }: { authorization: string | undefined; authorizer: JwtConfiguration },
  ): Promise<Answer> {
    const { machine, tokens } = this.parts;
    const given = authorization?.replace(/^Basic /i, "") ?? "";
    const wanted = Buffer.from(`${machine?.id}:${machine?.secret}`);
    const isKnown = machine !== undefined && isSame(Buffer.from(given, "base64"), wanted);
    if (!isKnown) return refusal(401, "invalid_client");
    const scopes = asked.get("scope")?.split(" ") ?? [...machine.scopes];
    if (!scopes.every((scope) => machine.scopes.includes(scope))) return refusal(400, "invalid_scope");
    const claims = { sub: machine.id, client_id: machine.id, aud: undefined, token_use: "access" };
    const token = await tokens.issue({ ...claims, scope: scopes.join(" ") }, authorizer);
    return json(200, { access_token: token, token_type: "Bearer", expires_in: 3600 });
  }

  private async issue(user: LocalUser, authorizer: JwtConfiguration) {
    const { tokens, client } = this.parts;
    const access = { ...this.claims(user), token_use: "access", scope: "openid email" };
    const identity = { sub: user.email, email: user.email, token_use: "id", aud: client?.id };
    return {
      access_token: await tokens.issue(access, authorizer),
      id_token: await tokens.issue(identity, authorizer),
      token_type: "Bearer",
      expires_in: 3600,
    };
  }

  /** Returns the claims of an access token. As in Cognito, access tokens have no audience. */
  private claims({ email, groups }: LocalUser) {
    const client_id = this.parts.client?.id;
    return { sub: email, username: email, client_id, aud: undefined, "cognito:groups": [...groups] };
  }

  private signOut(asked: URLSearchParams, session: string): Answer {
    this.sessions.delete(session);
    const to = asked.get("logout_uri") ?? "";
    return this.parts.client?.logoutUrls.includes(to) ? redirect(to) : refusal(400, "invalid_request");
  }
}

/**
 * Returns an issuer for refresh tokens that no authorizer accepts. Cognito's refresh tokens are encrypted for
 * the same purpose.
 */
function forRefresh(authorizer: JwtConfiguration): JwtConfiguration {
  return { ...authorizer, issuer: `${authorizer.issuer}/refresh` };
}

/** Serves the issuer. Requests that arrive before the issuer is ready wait for it. */
export function createTokenIssuerServer(issuer: Promise<LocalTokenIssuer>): Server {
  return createServer((incoming, outgoing) => {
    void issuer
      .then((known) => known.answer(incoming))
      .catch(() => refusal(500, "server_error"))
      .then(({ status, headers, body }) => outgoing.writeHead(status, headers).end(body));
  });
}

/** The client of the templates whose users sign in with a code. */
export function consoleClientOf(resolver: Resolver): ConsoleClient | undefined {
  const clients = resolver.resourcesOfType<{
    AllowedOAuthFlows?: string[];
    CallbackURLs?: string[];
    LogoutURLs?: string[];
  }>("AWS::Cognito::UserPoolClient");
  const found = clients.find(({ properties }) => properties.AllowedOAuthFlows?.includes("code"));
  if (found === undefined) return undefined;
  const { CallbackURLs = [], LogoutURLs = [] } = found.properties;
  return { id: found.ref, callbackUrls: CallbackURLs, logoutUrls: LogoutURLs };
}

/** Compares two values in constant time. */
function isSame(a: Buffer, b: Buffer): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

function sessionOf({ headers }: IncomingMessage): string | undefined {
  return new RegExp(`(?:^|; *)${cookieName}=([\\w-]+)`).exec(headers.cookie ?? "")?.[1];
}

function redirect(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 303, headers: { location, "cache-control": "no-store", ...headers } };
}

function json(status: number, value: unknown): Answer {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(value) };
}

function refusal(status: number, error: string): Answer {
  return json(status, { error });
}

function page(status: number, body: string): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}
