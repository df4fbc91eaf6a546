import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ConfigError, InputError } from "../../../shared/core/errors.ts";
import { errorFields, log } from "../../../shared/runtime/log.ts";

const root = join(import.meta.dirname, "../../..");
const secret = "http://bob:s3cret@host.example/a";

afterEach(() => vi.restoreAllMocks());

/** The one line that is written. */
function written(work: () => void): string {
  const lines = vi.spyOn(console, "log").mockImplementation(() => {});
  work();
  expect(lines.mock.calls).toHaveLength(1);
  return String(lines.mock.calls[0]?.[0]);
}

describe("log", () => {
  it.each([
    ["the message", () => log("info", `asked ${secret}`)],
    ["a field", () => log("info", "asked", { url: secret })],
    ["a field of a field", () => log("info", "asked", { request: { hops: [secret] } })],
    ["an error's text", () => log("error", "failed", errorFields(new Error(`no answer of ${secret}`)))],
    ["an error's further lines", () => log("error", "failed", errorFields(new Error(`no\n${secret}\nb`)))],
    ["its cause", () => log("error", "failed", errorFields(new Error("no", { cause: new Error(secret) })))],
    ["what is thrown and no error", () => log("error", "failed", errorFields(secret))],
    [
      "a value that is refused",
      () => log("error", "failed", errorFields(new InputError("url", secret, "is bad"))),
    ],
    ["a setting", () => log("error", "failed", errorFields(new ConfigError(`TIKA_URL is ${secret}`)))],
  ])("a URL with a password in %s → the URL alone", (_, work) => {
    const line = written(work);
    expect(line).not.toContain("s3cret");
    expect(line).toContain("http://host.example/a");
  });

  it("is the only way to a log", () => {
    const files = globSync("{functions,shared}/**/*.ts", { cwd: root });
    expect(files.length).toBeGreaterThan(100);
    const writing = files.filter((file) =>
      /\bconsole\.\w+[(;,)]|process\.(stdout|stderr)|\bemitWarning\b/.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
    expect(writing.map((file) => file.replaceAll("\\", "/"))).toEqual(["shared/runtime/log.ts"]);
  });
});
