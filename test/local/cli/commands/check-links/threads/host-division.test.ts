import { describe, expect, it } from "vitest";
import { distinctOrigins, HostKeys } from "../../../../../../local/cli/commands/check-links/link-origins.ts";
import { HostDivision } from "../../../../../../local/cli/commands/check-links/threads/host-division.ts";
import { threadsFor } from "../../../../../../local/cli/commands/check-links/threads/thread-count.ts";
import { hostKeyOf } from "../../../../../../shared/web/address/host-key.ts";

const spellings = [
  "http://a.example/1",
  "http://a.example:80/2",
  "https://a.example:443?q",
  "https://A.example/3",
  "http://a.example./4",
  "http://user:secret@a.example/5",
  "http://a.example:8080/6",
  "http:a.example/7",
  "http://a.example\\@b.example/8",
  "http://a.example@b.example/9",
  "http://127.1/10",
  "http://0x7f.1/11",
  "http://a.example:99999/12",
  "http://a..example/13",
  "http://.../14",
  "http://xn--bcher-kva.example#15",
  "http://bücher.example/16",
  "http://a.example:/17",
  "ftp://a.example/18",
  "x",
];

describe("HostKeys", () => {
  it.each(spellings)("%s → the key of the URL itself, also when its beginning is known", (url) => {
    const keys = new HostKeys();
    for (const each of spellings) keys.of(each);
    expect(keys.of(url)).toBe(hostKeyOf(url));
  });

  it("distinctOrigins → names every host", () => {
    const named = (urls: Iterable<string>) => new Set([...urls].map(hostKeyOf));
    expect(named(distinctOrigins(spellings))).toEqual(named(spellings));
  });
});

describe("HostDivision", () => {
  const urls = Array.from({ length: 1000 }, (_, at) => `http://h${at % 37}.example/${at}`);

  it("many hosts → each in one part, and parts of about the same length", () => {
    const division = new HostDivision(3);
    const parts = division.divide(urls);
    expect(parts.flat().toSorted()).toEqual(urls.toSorted());
    for (const [at, part] of parts.entries()) {
      for (const url of part) expect(division.ownerOf(hostKeyOf(url))).toBe(at);
      expect(Math.abs(part.length - urls.length / 3)).toBeLessThan(30);
    }
  });

  it("a host that comes later → one owner permanently", () => {
    const division = new HostDivision(3);
    division.divide(urls);
    const owner = division.ownerOf("new.example");
    for (let other = 0; other < 10; other++) division.ownerOf(`other${other}.example`);
    expect(division.ownerOf("new.example")).toBe(owner);
  });
});

describe("threadsFor", () => {
  const list = (links: number, hosts: number) =>
    Array.from({ length: links }, (_, at) => `http://h${at % hosts}.example/${at}`);

  it.each([
    { title: "a short list", urls: list(10_000, 200), given: { threads: 0, delayMs: 0 }, expected: 1 },
    { title: "a delay", urls: list(50_000, 1000), given: { threads: 0, delayMs: 1000 }, expected: 1 },
    { title: "one host", urls: list(50_000, 1), given: { threads: 0, delayMs: 0 }, expected: 1 },
    { title: "as asked", urls: list(100, 50), given: { threads: 5, delayMs: 1000 }, expected: 5 },
    {
      title: "asked for more than hosts",
      urls: list(100, 3),
      given: { threads: 5, delayMs: 0 },
      expected: 3,
    },
  ])("$title → $expected", ({ urls, given, expected }) => {
    expect(threadsFor(urls, { concurrency: 64, ...given })).toBe(expected);
  });
});
