import { describe, expect, it } from "vitest";
import { withoutCredentials } from "../../../shared/core/url-credentials.ts";

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
