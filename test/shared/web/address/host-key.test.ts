import { describe, expect, test } from "vitest";
import { hostKey, hostKeyOfName } from "../../../../shared/web/address/host-key.ts";

describe("hostKey", () => {
  test.each([
    ["upper case → lower case", "http://EXAMPLE.org/a", "example.org"],
    ["http and https → the same key", "https://example.org/a", "example.org"],
    ["the scheme's own port → left out", "https://example.org:443/", "example.org"],
    ["another port → part of the key", "http://example.org:8080/", "example.org:8080"],
    ["the other scheme's port → part of the key", "https://example.org:80/", "example.org:80"],
    ["a dot at the end → dropped", "http://example.org./", "example.org"],
    ["a dot before the port → dropped", "http://example.org.:8080/", "example.org:8080"],
    ["Unicode → Punycode", "http://bücher.example/", "xn--bcher-kva.example"],
    ["full-width letters and dots → ASCII", "http://ｅxample。org/", "example.org"],
    ["a decimal spelling of an address → the address", "http://2130706433:8471/", "127.0.0.1:8471"],
    ["IPv6 → in brackets, shortest form", "http://[2001:DB8:0:0::1]:81/", "[2001:db8::1]:81"],
    ["a host of a dot alone → itself", "http://%2e/", "."],
    ["credentials → left out", "http://user:secret@example.org/", "example.org"],
  ])("%s", (_title, url, expected) => {
    expect(hostKey(new URL(url))).toBe(expected);
  });
});

describe("hostKeyOfName", () => {
  test.each([
    ["upper case → lower case", "Example.ORG", "example.org"],
    ["a dot at the end → dropped", "example.org.", "example.org"],
    ["a port → part of the key", "example.org:8080", "example.org:8080"],
    ["http's port → left out", "example.org:80", "example.org"],
    ["https's port → left out", "example.org:443", "example.org"],
    ["Unicode → Punycode", "bücher.example", "xn--bcher-kva.example"],
    ["IPv6 → as in URLs", "[2001:DB8::1]", "[2001:db8::1]"],
    ["a URL → none", "https://example.org/", undefined],
    ["a path → none", "example.org/a", undefined],
    ["a user → none", "user@example.org", undefined],
    ["a blank → none", "example.org b", undefined],
    ["nothing → none", "", undefined],
    ["a dot, encoded → none", "%2e", undefined],
    ["dots → none", "..", undefined],
    ["no port → none", "example.org:many", undefined],
  ])("%s", (_title, name, expected) => {
    expect(hostKeyOfName(name)).toBe(expected);
  });
});
