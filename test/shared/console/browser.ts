import { createConsole } from "../../../shared/console/create-console.ts";
import type { TokenIssuer, TokenSet } from "../../../shared/console/sign-in/ports.ts";
import { pages } from "../../../shared/operations/pages/pages.ts";
import { fakeApi } from "./console-request.ts";

export const origin = "https://console.example";

/** An issuer that knows one code; access tokens say their groups, and expire when they are told to. */
function fakeIssuer(groups: string[] = ["admin"]) {
  const expired = new Set<string>();
  const revoked = new Set<string>();
  let issued = 0;
  const tokens = (): TokenSet => ({ accessToken: `access-${++issued}`, accessSeconds: 3600 });
  const issuer: TokenIssuer = {
    authorizeUrl: (asked) => `https://issuer.example/authorize?${new URLSearchParams(asked)}`,
    exchange: async ({ code, verifier }) =>
      code === "good" && verifier.length >= 43
        ? { ...tokens(), refreshToken: "refresh", identity: { email: "anna@library.example" } }
        : undefined,
    refresh: async (token) => (token === "refresh" && !revoked.has(token) ? tokens() : undefined),
    revoke: async (token) => void revoked.add(token),
    signOutUrl: (to) => `https://issuer.example/logout?${new URLSearchParams({ to })}`,
    verify: async (token) =>
      token.startsWith("access-") && !expired.has(token)
        ? { username: "anna", "cognito:groups": groups }
        : undefined,
  };
  return { issuer, revoked, expire: (token: string) => expired.add(token) };
}

/** A browser in front of the console: it keeps cookies, and follows nothing by itself. */
export function openBrowser({
  groups,
  answers = {},
}: {
  groups?: string[];
  answers?: Record<string, unknown>;
} = {}) {
  const { issuer, revoked, expire } = fakeIssuer(groups);
  const api = fakeApi(answers);
  const faults: Error[] = [];
  const app = createConsole({
    pages,
    send: api.send,
    issuer,
    origin,
    clock: { now: () => new Date("2026-11-22T19:30:00Z"), sleep: async () => {} },
    timeZone: "Europe/Berlin",
    logFault: (error) => void faults.push(error),
  });
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const answer = await app.request(origin + path, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      setCookies.push(line);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  async function signIn(back?: string): Promise<Response> {
    const to = await request(
      `/console/sign-in${back === undefined ? "" : `?back=${encodeURIComponent(back)}`}`,
    );
    const state = new URL(to.headers.get("location") ?? "").searchParams.get("state") ?? "";
    return request(`/console/signed-in?${new URLSearchParams({ code: "good", state })}`);
  }

  /** Sends a form with the token of the page before it. */
  async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const page = await (await request("/console")).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const body = new URLSearchParams({ csrf, ...fields });
    return request(path, { method: "POST", body, headers: { origin, ...headers } });
  }

  return { app, request, post, signIn, cookies, setCookies, calls: api.calls, revoked, expire, faults };
}
