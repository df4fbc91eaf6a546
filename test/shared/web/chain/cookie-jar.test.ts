import { describe, expect, test } from "vitest";
import {
  cookieHeader,
  type Jar,
  lastChange,
  rememberCookies,
} from "../../../../shared/web/chain/cookie-jar.ts";

const shop = "https://www.shop.example/a/b";

function jarAfter(setCookie: string, url = shop, jar: Jar = [], hop = 0): Jar {
  const headers = { "set-cookie": setCookie, date: "Thu, 01 Jan 2026 00:00:00 GMT" };
  return rememberCookies(jar, { url: new URL(url), headers, now: new Date("2030-01-01") }, hop);
}

describe("cookieHeader", () => {
  test.each([
    ["the same host → sent", "a=1; Path=/", "https://www.shop.example/", "a=1"],
    [
      "two cookies → the longer path first",
      "a=1; Path=/\nb=2; Path=/a",
      "https://www.shop.example/a",
      "b=2; a=1",
    ],
    ["no Path → the directory of the URL", "a=1", "https://www.shop.example/a/c", "a=1"],
    ["no Path, another directory → not sent", "a=1", "https://www.shop.example/c", undefined],
    ["a path that only begins alike → not sent", "a=1; Path=/a", "https://www.shop.example/ab", undefined],
    ["a host-only cookie, a host below → not sent", "a=1; Path=/", "https://x.www.shop.example/", undefined],
    [
      "the parent's domain → sent to a sibling",
      "a=1; Path=/; Domain=.SHOP.example",
      "https://login.shop.example/",
      "a=1",
    ],
    [
      "the host's own domain → sent below it",
      "a=1; Path=/; Domain=www.shop.example",
      "https://x.www.shop.example/",
      "a=1",
    ],
    [
      "a domain that only ends alike → not sent",
      "a=1; Path=/; Domain=shop.example",
      "https://workshop.example/",
      undefined,
    ],
    [
      "another host's domain → not kept",
      "a=1; Path=/; Domain=bank.example",
      "https://bank.example/",
      undefined,
    ],
    ["a top-level domain → not kept", "a=1; Path=/; Domain=example", "https://bank.example/", undefined],
    ["another host → not sent", "a=1; Path=/", "https://bank.example/", undefined],
    ["Secure → not sent over http", "a=1; Path=/; Secure", "http://www.shop.example/", undefined],
    ["a value with = in it → as it is", "a=b=c==; Path=/", "https://www.shop.example/", "a=b=c=="],
    ["a value in quotes → as it is", 'a="b c"; Path=/', "https://www.shop.example/", 'a="b c"'],
    ["set twice → the later value", "a=1; Path=/\na=2; Path=/", "https://www.shop.example/", "a=2"],
    ["Max-Age=0 → deleted", "a=1; Path=/\na=; Path=/; Max-Age=0", "https://www.shop.example/", undefined],
    [
      "expired → deleted",
      "a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "https://www.shop.example/",
      undefined,
    ],
    [
      "expiring later → sent",
      "a=1; Path=/; Expires=Fri, 02 Jan 2026 00:00:00 GMT",
      "https://www.shop.example/",
      "a=1",
    ],
    ["no name → not kept", "=1; Path=/", "https://www.shop.example/", undefined],
    ["a blank for a name → not kept", " =1; Path=/", "https://www.shop.example/", undefined],
    ["no equals sign → not kept", "a; Path=/", "https://www.shop.example/", undefined],
    ["control characters → not kept", "a=1\r\x00; Path=/", "https://www.shop.example/", undefined],
    ["bytes beyond ASCII → not kept", "a=\xfc; Path=/", "https://www.shop.example/", undefined],
    [
      "longer than 4,096 characters → not kept",
      `a=${"x".repeat(4096)}; Path=/`,
      "https://www.shop.example/",
      undefined,
    ],
    ["a forged Hop → the response's own counts", "a=1; Path=/; Hop=99", "https://www.shop.example/", "a=1"],
  ])("%s", (_title, setCookie, url, expected) => {
    expect(cookieHeader(jarAfter(setCookie), new URL(url))).toBe(expected);
  });

  test("an address as host, a Domain that is part of it → not kept", () => {
    const jar = jarAfter("a=1; Path=/; Domain=0.0.1", "http://127.0.0.1/");
    expect(cookieHeader(jar, new URL("http://127.0.0.1/"))).toBeUndefined();
  });

  test.each([
    ["in the past → deleted", "Sat, 05 Jan 2030 00:00:00 GMT", undefined, undefined],
    ["in the future → sent", "Mon, 07 Jan 2030 00:00:00 GMT", undefined, "a=1"],
    ["in the past, an invalid Date → deleted", "Sat, 05 Jan 2030 00:00:00 GMT", "now", undefined],
    [
      "in the past by our clock alone → sent",
      "Sat, 05 Jan 2030 00:00:00 GMT",
      "Fri, 04 Jan 2030 00:00:00 GMT",
      "a=1",
    ],
  ])("an expiry without the host's time, %s", (_title, expires, date, expected) => {
    const headers = { "set-cookie": `a=1; Path=/; Expires=${expires}`, ...(date !== undefined && { date }) };
    const jar = rememberCookies([], { url: new URL(shop), headers, now: new Date("2030-01-06") }, 0);
    expect(cookieHeader(jar, new URL(shop))).toBe(expected);
  });

  test("a full jar → what was changed lately stays, and traces of deleted cookies go first", () => {
    const all = Array.from({ length: 20 }, (_, number) => `c${number}=1; Path=/`).join("\n");
    const changed = jarAfter(
      "c0=2; Path=/\nc5=; Path=/; Max-Age=0\nc6=; Path=/; Max-Age=0",
      shop,
      jarAfter(all),
      1,
    );
    const full = jarAfter("new=1; Path=/", shop, changed, 2);
    const names = cookieHeader(full, new URL(shop))?.split("; ") ?? [];
    expect(names).toContain("c0=2");
    expect(names).toContain("c1=1");
    expect(names).toHaveLength(19);
    const fuller = jarAfter("n1=1; Path=/\nn2=1; Path=/", shop, full, 3);
    const left = cookieHeader(fuller, new URL(shop))?.split("; ") ?? [];
    expect([left.includes("c0=2"), left.includes("c1=1"), left.length]).toEqual([true, false, 20]);
  });

  test("more cookies than a jar holds → the last 20", () => {
    const lines = Array.from({ length: 30 }, (_, number) => `c${number}=1; Path=/`);
    const header = cookieHeader(jarAfter(lines.join("\n")), new URL(shop));
    expect(header?.split("; ")).toEqual(lines.slice(10).map((line) => line.split(";")[0]));
  });
});

describe("lastChange", () => {
  const first = jarAfter("a=1; Path=/", shop, [], 0);
  test.each([
    ["an empty jar → none", [], -1],
    ["a cookie → the response that set it", first, 0],
    ["the same value again → no change", jarAfter("a=1; Path=/", shop, first, 3), 0],
    ["a new value → a change", jarAfter("a=2; Path=/", shop, first, 3), 3],
    ["another cookie → a change", jarAfter("b=1; Path=/", shop, first, 3), 3],
    ["a deletion → a change", jarAfter("a=; Path=/; Max-Age=0", shop, first, 3), 3],
    ["the same deletion again → no change", jarAfter("b=; Path=/; Max-Age=0", shop, first, 3), 0],
    ["a forged Hop → no effect", jarAfter("b=1; Path=/; Hop=99", shop, first, 3), 3],
  ])("%s", (_title, jar, expected) => {
    expect(lastChange(jar)).toBe(expected);
  });
});
