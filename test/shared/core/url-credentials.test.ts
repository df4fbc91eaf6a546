import { describe, expect, it } from "vitest";
import { textWithoutCredentials, withoutCredentials } from "../../../shared/core/url-credentials.ts";

describe("withoutCredentials", () => {
  it.each([
    ["http://bob:s3cret@host.example/a?b#c", "http://host.example/a?b#c"],
    ["http://bob@HOST.example", "http://host.example/"],
    ["http:\\\\bob:s3cret@host.example\\a", "http://host.example/a"],
    ["HTTP://bob:p@ss@host.example/", "http://host.example/"],
    ["http://bob:s3cret@[bad/x", "http://[bad/x"],
    ["http://bob:s3cret@a b/x", "http://a b/x"],
    ["ftp://bob:s3cret@host.example/", "ftp://host.example/"],
    ["http://Host.example/@bob", "http://Host.example/@bob"],
    ["http://host.example?mail=bob@host.example", "http://host.example?mail=bob@host.example"],
    ["mailto:bob@host.example", "mailto:bob@host.example"],
    ["not a URL", "not a URL"],
  ])("%s → %s", (text, expected) => {
    expect(withoutCredentials(text)).toBe(expected);
  });
});

describe("textWithoutCredentials", () => {
  it.each([
    ["GET http://bob:s3cret@host.example/a failed", "GET http://host.example/a failed"],
    [
      '{"url":"https://bob@host.example","to":"bob@host.example"}',
      '{"url":"https://host.example","to":"bob@host.example"}',
    ],
    ["sftp://bob:p@ss@host.example and ftp://eve:x@b.example", "sftp://host.example and ftp://b.example"],
    [
      "http://host.example/@bob http://host.example?to=bob@b.example",
      "http://host.example/@bob http://host.example?to=bob@b.example",
    ],
    ["HTTP:\\\\bob:s3cret@host.example", "HTTP:\\\\host.example"],
    ["write to bob@host.example", "write to bob@host.example"],
  ])("%s → %s", (text, expected) => {
    expect(textWithoutCredentials(text)).toBe(expected);
  });

  it("a long text that is nearly a URL → unchanged, in linear time", () => {
    const text = "a.".repeat(500_000);
    expect(textWithoutCredentials(text)).toBe(text);
  });
});
