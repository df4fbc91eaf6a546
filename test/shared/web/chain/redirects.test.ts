import { describe, expect, test } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { cookieHeader } from "../../../../shared/web/chain/cookie-jar.ts";
import { type Chain, followRedirect, type NextHop } from "../../../../shared/web/chain/redirects.ts";
import type { Hop } from "../../../../shared/web/exchange/exchange.ts";

const circumstances = { addresses: defaultAddressPolicy, now: new Date("2026-11-20T12:00:00Z") };

const start: Chain = { url: "https://example.org/a/b?q=1", hops: [], cookies: [] };

function nextAfter(status: number, location: string | undefined, chain: Chain = start): NextHop {
  return followRedirect(
    chain,
    { status, headers: location === undefined ? {} : { location } },
    circumstances,
  );
}

function hopsTo(count: number): Hop[] {
  return Array.from({ length: count }, (_, number) => ({
    url: `https://example.org/${number}`,
    status: 302,
  }));
}

describe("followRedirect", () => {
  test.each([200, 204, 300, 304, 305, 306, 400, 404, 500])("status %d with a Location → final", (status) => {
    expect(nextAfter(status, "https://example.org/c")).toEqual({ type: "final" });
  });

  test.each([
    ["absolute", "https://other.example/c", "https://other.example/c"],
    ["relative to the directory", "c", "https://example.org/a/c"],
    ["relative to the root", "/c", "https://example.org/c"],
    ["relative to the scheme", "//other.example/c", "https://other.example/c"],
    ["only a query", "?q=2", "https://example.org/a/b?q=2"],
    ["with a fragment", "/c#top", "https://example.org/c"],
    ["with credentials", "https://user:secret@other.example/", "https://other.example/"],
    ["down to http", "http://example.org/a/b?q=1", "http://example.org/a/b?q=1"],
    ["with a space", "/a b", "https://example.org/a%20b"],
    ["in UTF-8 bytes", Buffer.from("/größe").toString("latin1"), "https://example.org/gr%C3%B6%C3%9Fe"],
    ["in Latin-1 bytes", "/gr\xf6\xdfe", "https://example.org/gr%C3%B6%C3%9Fe"],
    [
      "with a Unicode host",
      Buffer.from("//bücher.example/").toString("latin1"),
      "https://xn--bcher-kva.example/",
    ],
  ])("a Location %s → followed", (_title, location, url) => {
    expect(nextAfter(302, location)).toEqual({ type: "follow", url, method: "GET", cookies: [] });
  });

  test.each([
    ["no Location", undefined, "bad-redirect"],
    ["an empty Location", "  ", "bad-redirect"],
    ["a Location that is not a URL", "http://exa mple.org/", "bad-redirect"],
    ["an invalid host", "http://example..org/", "bad-url"],
    ["a Location without end", `/${"a".repeat(9000)}`, "bad-url"],
    ["javascript:", "javascript:alert(1)", "scheme"],
    ["data:", "data:text/html,hello", "scheme"],
    ["file:", "file:///etc/passwd", "scheme"],
    ["ftp:", "ftp://example.org/c", "scheme"],
    ["the port of Redis", "http://example.org:6379/", "port"],
    ["loopback", "http://127.0.0.1/", "address"],
    ["loopback in decimal", "http://2130706433/", "address"],
    ["metadata", "//169.254.169.254/latest/meta-data/", "address"],
    ["a private IPv6 address", "http://[fd00::1]/", "address"],
    ["the URL itself", "?q=1", "redirect-loop"],
    ["the URL itself, another fragment", "?q=1#again", "redirect-loop"],
  ])("%s → refused", (_title, location, reason) => {
    expect(nextAfter(302, location)).toEqual({ type: "refused", reason, detail: expect.any(String) });
  });

  test.each([
    [301, "GET", "GET"],
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "HEAD", "HEAD"],
    [302, "HEAD", "HEAD"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
  ] as const)("%d after %s → %s", (status, method, expected) => {
    expect(nextAfter(status, "/c", { ...start, method })).toMatchObject({ type: "follow", method: expected });
  });

  test.each([
    ["19 redirects behind us → followed", 19, "follow"],
    ["20 redirects behind us → refused", 20, "refused"],
  ])("%s", (_title, behind, type) => {
    const chain = { ...start, hops: hopsTo(behind) };
    expect(nextAfter(302, "/new", chain)).toMatchObject(
      type === "follow" ? { type } : { type, reason: "too-many-hops" },
    );
  });

  test("a URL of three hops ago → refused as a loop", () => {
    expect(nextAfter(302, "/0", { ...start, hops: hopsTo(3) })).toMatchObject({ reason: "redirect-loop" });
  });

  test("the URL itself with a new cookie → followed once, then a loop", () => {
    const answer = { status: 302, headers: { location: start.url, "set-cookie": "seen=1; Path=/" } };
    const second = followRedirect(start, answer, circumstances);
    if (second.type !== "follow") throw new Error(second.type);
    expect(cookieHeader(second.cookies, new URL(second.url))).toBe("seen=1");

    const hops = [{ url: start.url, status: 302 }];
    const third = followRedirect({ url: second.url, hops, cookies: second.cookies }, answer, circumstances);
    expect(third).toMatchObject({ type: "refused", reason: "redirect-loop" });
  });

  test("a sign-on host that sets a cookie and sends back → followed to the first URL", () => {
    const hops = [{ url: "https://example.org/article", status: 302 }];
    const headers = { location: "https://example.org/article", "set-cookie": "session=1" };
    const next = followRedirect(
      { url: "https://login.example.org/", hops, cookies: [] },
      { status: 302, headers },
      circumstances,
    );
    expect(next).toMatchObject({ type: "follow", url: "https://example.org/article" });
  });

  test("a host that changes its cookie each time → refused after 20 redirects", () => {
    let chain = start;
    for (let count = 0; count <= 20; count++) {
      const headers = { location: start.url, "set-cookie": `visit=${count}` };
      const next = followRedirect(chain, { status: 302, headers }, circumstances);
      if (count === 20) expect(next).toMatchObject({ reason: "too-many-hops" });
      else if (next.type !== "follow") throw new Error(`${next.type} after ${count}`);
      else
        chain = {
          url: next.url,
          cookies: next.cookies,
          hops: [...chain.hops, { url: chain.url, status: 302 }],
        };
    }
  });
});
