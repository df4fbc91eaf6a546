import { describe, expect, it } from "vitest";
import { roles } from "../../../shared/api/role.ts";
import { ownAddress } from "../../../shared/console/sign-in/own-address.ts";
import { pages } from "../../../shared/operations/pages/pages.ts";
import { openBrowser, origin } from "./browser.ts";

const noRuns = { "GET /runs": { runs: [] }, "GET /today": { needs: [], nextRuns: [], unfinished: [] } };
const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, "x");

describe("without a session", () => {
  it.each(pages.map(({ method, path }) => [method, path]))(
    "%s %s → 401, and the way to sign in",
    async (method, path) => {
      const { request, calls } = openBrowser();
      const answer = await request(addressOf(path), { method, ...(method === "POST" && { body: "" }) });
      expect(answer.status).toBe(401);
      expect(await answer.text()).toContain('href="/console/sign-in');
      expect(calls).toEqual([]);
    },
  );

  it("a link in a mail, which comes without the strict cookies → asks for itself again", async () => {
    const { request } = openBrowser();
    const answer = await request("/console/sources?q=a", { headers: { "sec-fetch-site": "cross-site" } });
    expect(await answer.text()).toContain('http-equiv="refresh" content="0;url=/console/sources?q=a"');
  });
});

describe("each page of the table", () => {
  it.each(
    pages
      .filter(({ audience }) => audience !== "viewer")
      .map((page) => [page.method, page.path, page] as const),
  )("%s %s → refuses the role below its own", async (method, path, { audience }) => {
    const below = roles[roles.indexOf(audience) - 1] ?? "";
    const browser = openBrowser({ groups: [below], answers: noRuns });
    await browser.signIn();
    const answer = await browser.request(addressOf(path), { method, ...(method === "POST" && { body: "" }) });
    expect(answer.status).toBe(403);
    expect(browser.calls).toEqual([]);
  });

  it.each(pages.map(({ method, path }) => [method, path]))(
    "%s %s → refuses a user without a group",
    async (method, path) => {
      const browser = openBrowser({ groups: [] });
      await browser.signIn();
      const answer = await browser.request(addressOf(path), {
        method,
        ...(method === "POST" && { body: "" }),
      });
      expect(answer.status).toBe(403);
      expect(browser.calls).toEqual([]);
    },
  );

  it.each(pages.filter(({ method }) => method === "POST").map(({ path }) => path))(
    "POST %s without the token of a page → nothing is done",
    async (path) => {
      const browser = openBrowser({ answers: noRuns });
      await browser.signIn();
      const answer = await browser.request(addressOf(path), {
        method: "POST",
        body: new URLSearchParams({ csrf: "x" }),
      });
      expect(answer.status).toBe(403);
      expect(browser.calls).toEqual([]);
    },
  );
});

describe("signing in", () => {
  it("a code with its state → a session in cookies that no script and no other site has, back where it began", async () => {
    const browser = openBrowser({ answers: noRuns });
    const answer = await browser.signIn("/console?x=1");
    expect(await answer.text()).toContain('content="0;url=/console?x=1"');
    const session = browser.setCookies.filter((line) => /^__Host-ingather-(access|refresh|name)=/.test(line));
    expect(session).toHaveLength(3);
    for (const line of session) expect(line).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect((await browser.request("/console")).status).toBe(200);
  });

  it("the request for a code → has S256 of the verifier, and the registered address to return to", async () => {
    const { request } = openBrowser();
    const to = new URL((await request("/console/sign-in")).headers.get("location") ?? "").searchParams;
    expect(to.get("challenge")).toMatch(/^[\w-]{43}$/);
    expect(to.get("redirectUri")).toBe(`${origin}/console/signed-in`);
  });

  it.each([
    ["a state that is another's", "code=good&state=other"],
    ["no code", "error=access_denied"],
  ])("%s → no session", async (_title, query) => {
    const browser = openBrowser();
    await browser.request("/console/sign-in");
    expect((await browser.request(`/console/signed-in?${query}`)).status).toBe(401);
    expect([...browser.cookies.keys()].filter((name) => name.includes("refresh"))).toEqual([]);
  });

  it("an attempt whose code was taken → cannot be finished again", async () => {
    const browser = openBrowser();
    const first = await browser.request("/console/sign-in");
    const state = new URL(first.headers.get("location") ?? "").searchParams.get("state");
    await browser.request(`/console/signed-in?code=good&state=${state}`);
    expect((await browser.request(`/console/signed-in?code=good&state=${state}`)).status).toBe(401);
  });

  it("an access token that has expired → is renewed, and forms opened before still count", async () => {
    const browser = openBrowser({ answers: noRuns });
    await browser.signIn();
    const page = await (await browser.request("/console")).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
    browser.expire(browser.cookies.get("__Host-ingather-access") ?? "");
    const out = await browser.request("/console/sign-out", {
      method: "POST",
      body: new URLSearchParams({ csrf }),
    });
    expect([out.status, [...browser.revoked]]).toEqual([200, ["refresh"]]);
  });

  it("signing out → ends the session here and at the issuer", async () => {
    const browser = openBrowser({ answers: noRuns });
    await browser.signIn();
    const out = await browser.post("/console/sign-out", {});
    expect(await out.text()).toContain("https://issuer.example/logout");
    expect((await browser.request("/console")).status).toBe(401);
  });

  it("a form of another origin → signs nobody out", async () => {
    const browser = openBrowser({ answers: noRuns });
    await browser.signIn();
    await browser.post("/console/sign-out", {}, { origin: "https://evil.example" });
    expect([...browser.revoked]).toEqual([]);
  });
});

describe("no open redirect", () => {
  it.each([
    ["/console/sources?q=1", "/console/sources?q=1"],
    ["//evil.example/console", "/console"],
    ["https://evil.example/console", "/console"],
    ["/\\evil.example/console", "/console"],
    ["javascript:alert(1)", "/console"],
    ["/console/../records", "/console"],
    ["/consolation", "/console"],
    [undefined, "/console"],
  ])("%s → %s", (given, to) => expect(ownAddress(given, origin)).toBe(to));

  it("after a change of language → only our own pages", async () => {
    const { request } = openBrowser();
    const answer = await request("/console/language?to=de&back=https://evil.example/");
    expect(answer.headers.get("location")).toBe("/console");
  });
});

describe("every answer", () => {
  it("has a policy without inline script and style, and cannot be framed", async () => {
    const browser = openBrowser({ answers: noRuns });
    await browser.signIn();
    for (const path of ["/console", "/console/nowhere", "/console/sign-in"]) {
      const { headers } = await browser.request(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
    }
  });

  it.each([
    [429, "the route has too many requests", 0],
    [503, "try again", 0],
    [500, "Ingather has failed", 1],
  ])(
    "a refusal of the API with %i → that status; what is not a fault of ours is not logged as one",
    async (status, detail, logged) => {
      const browser = openBrowser({ answers: { "GET /validation-rules": { status, detail } } });
      await browser.signIn();
      const answer = await browser.request("/console/rules");
      expect(answer.status).toBe(status);
      expect(await answer.text()).toContain(detail);
      expect(browser.faults).toHaveLength(logged);
    },
  );

  it("is in the language of the browser, or the chosen one", async () => {
    const browser = openBrowser({ answers: noRuns });
    await browser.signIn();
    const german = { headers: { "accept-language": "fr, de-AT;q=0.9, en;q=0.8" } };
    expect(await (await browser.request("/console", german)).text()).toContain('<html lang="de">');
    await browser.request("/console/language?to=en");
    expect(await (await browser.request("/console", german)).text()).toContain('<html lang="en">');
  });
});
