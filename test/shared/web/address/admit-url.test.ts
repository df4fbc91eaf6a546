import { describe, expect, test } from "vitest";
import {
  type AddressPolicy,
  admitUrl,
  defaultAddressPolicy,
} from "../../../../shared/web/address/admit-url.ts";

const policy: AddressPolicy = {
  ...defaultAddressPolicy,
  allowedPrivateHosts: new Set(["127.0.0.1:8471", "demo.internal"]),
};

describe("admitUrl", () => {
  test.each([
    ["a plain URL → as it is", "http://example.org/a?b=c", "http://example.org/a?b=c"],
    ["a fragment → dropped", "https://example.org/a#b", "https://example.org/a"],
    ["credentials → dropped", "https://user:secret@example.org/", "https://example.org/"],
    ["a dot after the host → dropped", "http://example.org.:8080/", "http://example.org:8080/"],
    [
      "a Unicode host → Punycode",
      "http://bücher.example/größe",
      "http://xn--bcher-kva.example/gr%C3%B6%C3%9Fe",
    ],
    ["white space around it → dropped", " \thttp://example.org/\n", "http://example.org/"],
    ["backslashes → slashes, as browsers read them", "http:\\\\example.org\\a", "http://example.org/a"],
    ["an underscore in the host → admitted", "http://my_repo.example.org/", "http://my_repo.example.org/"],
    ["a repository's port → admitted", "http://example.org:8088/oai", "http://example.org:8088/oai"],
    ["a public literal → admitted", "http://8.8.8.8/", "http://8.8.8.8/"],
    ["a public IPv6 literal → admitted", "http://[2606:4700::1111]/", "http://[2606:4700::1111]/"],
    ["a private host on the list → admitted, any port", "http://127.0.0.1:8471/x", "http://127.0.0.1:8471/x"],
    ["the list's address in decimal → admitted", "http://2130706433:8471/x", "http://127.0.0.1:8471/x"],
    ["a listed name → admitted", "https://demo.internal/", "https://demo.internal/"],
  ])("%s", (_title, text, href) => {
    expect(admitUrl(text, policy)).toEqual({ type: "admitted", url: new URL(href) });
  });

  test.each([
    ["nothing", "", "bad-url"],
    ["no scheme", "example.org/a", "bad-url"],
    ["a scheme-relative URL", "//example.org/a", "bad-url"],
    ["an empty host", "http:///", "bad-url"],
    ["a host of dots", "http://../", "bad-url"],
    ["an empty label", "http://example..org/", "bad-url"],
    ["a label of 64 characters", `http://${"a".repeat(64)}.org/`, "bad-url"],
    ["a host of 254 characters", `http://${"abcdefghi.".repeat(25)}abcd/`, "bad-url"],
    ["a space in the host", "http://exa mple.org/", "bad-url"],
    ["an invalid port", "http://example.org:99999/", "bad-url"],
    ["an invalid address", "http://1.2.3.256/", "bad-url"],
    ["an address of five parts", "http://127.0.0.0.1/", "bad-url"],
    ["a zone in an IPv6 literal", "http://[fe80::1%25eth0]/", "bad-url"],
    ["an open bracket", "http://[::1/", "bad-url"],
    ["more than 8,192 characters", `http://example.org/${"a".repeat(8192)}`, "bad-url"],
    ["more than 8,192 characters once escaped", `http://example.org/${"ü".repeat(2000)}`, "bad-url"],
    ["javascript:", "javascript:alert(1)", "scheme"],
    ["data:", "data:text/html,hello", "scheme"],
    ["file:", "file:///etc/passwd", "scheme"],
    ["ftp:", "ftp://example.org/", "scheme"],
    ["gopher:", "gopher://127.0.0.1:6379/_INFO", "scheme"],
    ["mailto:", "mailto:someone@example.org", "scheme"],
    ["blob:", "blob:http://example.org/1", "scheme"],
    ["view-source:", "view-source:http://example.org/", "scheme"],
    ["the port of SMTP", "http://example.org:25/", "port"],
    ["the port of Redis", "http://example.org:6379/", "port"],
    ["the port of AJP", "http://example.org:8009/", "port"],
    ["the port of SSH", "https://example.org:22/", "port"],
    ["port 0", "http://example.org:0/", "port"],
    ["loopback", "http://127.0.0.1/", "address"],
    ["loopback on another port than the listed one", "http://127.0.0.1:8080/", "address"],
    ["loopback in decimal", "http://2130706433/", "address"],
    ["loopback in octal", "http://0177.0.0.1/", "address"],
    ["loopback in long octal", "http://017700000001/", "address"],
    ["loopback in hexadecimal", "http://0x7f000001/", "address"],
    ["loopback in mixed notation", "http://0x7f.1/", "address"],
    ["loopback in two parts", "http://127.1/", "address"],
    ["loopback with a dot after it", "http://127.0.0.1./", "address"],
    ["loopback in full-width digits", "http://１２７.０.０.１/", "address"],
    ["loopback in circled digits", "http://①②⑦.⓪.⓪.①/", "address"],
    ["loopback with ideographic dots", "http://127。0。0。1/", "address"],
    ["loopback, escaped", "http://%31%32%37.0.0.1/", "address"],
    ["zero", "http://0/", "address"],
    ["metadata", "http://169.254.169.254/latest/meta-data/", "address"],
    ["metadata in decimal", "http://2852039166/", "address"],
    ["metadata in octal", "http://0251.0376.0251.0376/", "address"],
    ["metadata, mapped", "http://[::ffff:169.254.169.254]/", "address"],
    ["metadata over IPv6", "http://[fd00:ec2::254]/", "address"],
    ["IPv6 loopback", "http://[::1]/", "address"],
    ["mapped loopback", "http://[::ffff:127.0.0.1]/", "address"],
    ["mapped loopback in hexadecimal", "http://[0:0:0:0:0:ffff:7f00:1]/", "address"],
    ["NAT64 of a private address", "http://[64:ff9b::10.0.0.1]/", "address"],
    ["6to4 of a private address", "http://[2002:a00:1::]/", "address"],
    ["a public host as the user of a private one", "http://example.org@127.0.0.1/", "address"],
    ["a public host behind the fragment of a private one", "http://127.0.0.1#@example.org/", "address"],
    ["a public host behind a backslash", "http://127.0.0.1\\@example.org/", "address"],
  ])("%s → refused", (_title, text, reason) => {
    expect(admitUrl(text, policy)).toEqual({ type: "refused", reason, detail: expect.any(String) });
  });

  test.each([
    "http://user:secret@127.0.0.1/",
    "http://user:secret@exa mple.org/",
    "http://user:secret@example.org:25/",
    "ftp://user:secret@example.org/",
    "http://user:secret@example..org/",
  ])("credentials in a refused URL → not in the detail (%s)", (text) => {
    expect(JSON.stringify(admitUrl(text, policy))).not.toMatch(/user|secret/);
  });
});
