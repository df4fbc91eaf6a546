import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTokenIssuerServer, LocalTokenIssuer } from "../../../../local/cloud/cognito/token-issuer.ts";
import { createTokens, type Tokens } from "../../../../local/cloud/cognito/tokens.ts";
import { cognitoIssuer } from "../../../../shared/console/sign-in/cognito-issuer.ts";
import type { TokenIssuer } from "../../../../shared/console/sign-in/ports.ts";
import { listen } from "../../../listen.ts";

const apiUrl = "http://127.0.0.1:4800";
const redirectUri = `${apiUrl}/console/signed-in`;
const authorizer = { issuer: "https://pool.example/eu_1", audience: ["console", "machine"] };
const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");
const stateDir = mkdtempSync(join(tmpdir(), "ingather-issuer-"));
const ready = Promise.withResolvers<LocalTokenIssuer>();
const server = createTokenIssuerServer(ready.promise);

let local: LocalTokenIssuer;
let issuer: TokenIssuer;
let tokens: Tokens;
let url: string;
beforeAll(async () => {
  url = await listen(server);
  tokens = createTokens(stateDir);
  const client = { id: "console", callbackUrls: [redirectUri], logoutUrls: [`${apiUrl}/console/signed-out`] };
  local = new LocalTokenIssuer({ tokens, authorizer, client, machine: undefined, apiUrl }, url);
  ready.resolve(local);
  const keysUrl = `${url}/.well-known/jwks.json`;
  issuer = cognitoIssuer({ issuer: authorizer.issuer, keysUrl, signInUrl: url, clientId: "console" });
});
afterAll(() => {
  server.close();
  rmSync(stateDir, { recursive: true });
});

const user = { email: "anna@library.example", groups: ["operator"] };

/** Opens a one-time link, and asks for a code with the session that it gives. @returns the code */
async function codeOf(authorizeUrl: string): Promise<string | null> {
  const opened = await fetch(local.signInLink(user), { redirect: "manual" });
  const cookie = opened.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  const back = await fetch(authorizeUrl, { redirect: "manual", headers: { cookie } });
  return new URL(back.headers.get("location") ?? "http://none").searchParams.get("code");
}

const authorizeUrl = () => issuer.authorizeUrl({ state: "s", challenge, redirectUri });

async function signedIn() {
  const code = await codeOf(authorizeUrl());
  const found = await issuer.exchange({ code: code ?? "", verifier, redirectUri });
  if (found === undefined) throw new Error("no tokens");
  return found;
}

describe("a code", () => {
  it("with its verifier → tokens whose groups are the user's", async () => {
    const { accessToken, refreshToken, identity } = await signedIn();
    expect(await issuer.verify(accessToken)).toMatchObject({
      username: user.email,
      "cognito:groups": ["operator"],
    });
    expect(identity).toMatchObject({ email: user.email });
    expect(refreshToken).toEqual(expect.any(String));
  });

  it("with its verifier → a refresh token that the API's authorizer refuses, as it does one of Cognito", async () => {
    const { accessToken, refreshToken = "" } = await signedIn();
    expect(await tokens.verify(accessToken, authorizer)).toMatchObject({ username: user.email });
    expect(await tokens.verify(refreshToken, authorizer)).toBeUndefined();
    expect(await issuer.refresh(accessToken)).toBeUndefined();
    expect(await issuer.refresh(refreshToken)).toBeDefined();
  });

  it("with another verifier → refused, and used up", async () => {
    const code = (await codeOf(authorizeUrl())) ?? "";
    expect(await issuer.exchange({ code, verifier: "w".repeat(43), redirectUri })).toBeUndefined();
    expect(await issuer.exchange({ code, verifier, redirectUri })).toBeUndefined();
  });

  it("twice → refused the second time", async () => {
    const code = (await codeOf(authorizeUrl())) ?? "";
    expect(await issuer.exchange({ code, verifier, redirectUri })).toBeDefined();
    expect(await issuer.exchange({ code, verifier, redirectUri })).toBeUndefined();
  });

  it("for another address than the console's → not given", async () => {
    const elsewhere = issuer.authorizeUrl({ state: "s", challenge, redirectUri: "https://evil.example/" });
    expect(await codeOf(elsewhere)).toBeNull();
  });

  it("without a link opened before → not given", async () => {
    expect((await fetch(authorizeUrl(), { redirect: "manual" })).status).toBe(403);
  });
});

describe("a link", () => {
  it("opened twice → refused the second time", async () => {
    const link = local.signInLink(user);
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await fetch(link, { redirect: "manual" })).status);
    expect(statuses).toEqual([303, 403]);
  });
});

describe("a session", () => {
  it("continues with its refresh token, until it is revoked", async () => {
    const { refreshToken = "" } = await signedIn();
    const renewed = await issuer.refresh(refreshToken);
    expect(await issuer.verify(renewed?.accessToken ?? "")).toMatchObject({ "cognito:groups": ["operator"] });
    await issuer.revoke(refreshToken);
    expect(await issuer.refresh(refreshToken)).toBeUndefined();
  });
});

describe("an access token is refused", () => {
  const claims = { client_id: "console", aud: undefined, token_use: "access", username: "anna" };
  it.each([
    ["that is none", async () => "no.token.here"],
    ["of another client", () => tokens.issue({ ...claims, client_id: "machine" }, authorizer)],
    ["of another pool", () => tokens.issue(claims, { ...authorizer, issuer: "https://other.example" })],
    ["that has expired", () => tokens.issue({ ...claims, exp: 1 }, authorizer)],
    ["that is an identity token", () => tokens.issue({ ...claims, token_use: "id" }, authorizer)],
    ["that is a refresh token", async () => (await signedIn()).refreshToken ?? ""],
    [
      "that nobody signed",
      async () => {
        const [, payload] = (await tokens.issue(claims, authorizer)).split(".");
        return `${Buffer.from('{"alg":"none","kid":"local"}').toString("base64url")}.${payload}.`;
      },
    ],
  ])("%s", async (_title, token) => {
    expect(await issuer.verify(await token())).toBeUndefined();
  });

  it("but not one of the console's client that is valid now", async () => {
    expect(await issuer.verify(await tokens.issue(claims, authorizer))).toMatchObject({ username: "anna" });
  });
});

describe("the issuer", () => {
  it("unreachable → an error of the platform, not the end of a session", async () => {
    const gone = cognitoIssuer({
      issuer: authorizer.issuer,
      keysUrl: "http://127.0.0.1:1/keys",
      signInUrl: "http://127.0.0.1:1",
      clientId: "console",
    });
    await expect(gone.refresh("x")).rejects.toThrow("did not answer");
    await expect(gone.verify((await signedIn()).accessToken)).rejects.toThrow("did not answer");
  });
});
