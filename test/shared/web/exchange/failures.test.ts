import { describe, expect, test } from "vitest";
import { explainBreakage } from "../../../../shared/web/exchange/failures.ts";
import { LookupError } from "../../../../shared/web/exchange/lookup.ts";

function coded(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

describe("explainBreakage", () => {
  test.each([
    ["ECONNREFUSED", "connecting", true, "connect"],
    ["EHOSTUNREACH", "connecting", false, "connect"],
    ["ETIMEDOUT", "connecting", true, "connect"],
    ["UND_ERR_CONNECT_TIMEOUT", "connecting", true, "connect"],
    ["ECONNRESET", "connecting", true, "reset"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "connecting", true, "tls"],
    ["CERT_HAS_EXPIRED", "connecting", true, "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "connecting", true, "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "connecting", true, "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "connecting", true, "tls"],
    ["EPROTO", "connecting", true, "tls"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "asked", true, "tls"],
    ["ECONNRESET", "asked", false, "reset"],
    ["EPIPE", "asked", false, "reset"],
    ["UND_ERR_SOCKET", "asked", false, "reset"],
    ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "asked", false, "reset"],
    ["ERR_HTTP2_STREAM_ERROR", "asked", true, "reset"],
    ["ETIMEDOUT", "asked", false, "timeout"],
    ["UND_ERR_HEADERS_OVERFLOW", "asked", false, "headers-too-large"],
  ] as const)("%s while %s, secure %s → %s", (code, progress, secure, reason) => {
    expect(explainBreakage(coded(code), { progress, secure })).toMatchObject({ type: "failed", reason });
  });

  test.each(["bad response", "bad upgrade"])("undici's '%s' → bad-http", (message) => {
    const error = coded("UND_ERR_SOCKET", message);
    expect(explainBreakage(error, { progress: "asked", secure: false })).toMatchObject({
      reason: "bad-http",
    });
  });

  test("no address that is allowed → refused", () => {
    const error = new LookupError("address", "host.example has no public address, only ::1");
    expect(explainBreakage(error, { progress: "connecting", secure: true })).toEqual({
      type: "refused",
      reason: "address",
      detail: "host.example has no public address, only ::1",
    });
  });

  test("a status below 100 → in words of ours", () => {
    const error = coded("ERR_ASSERTION", "assert(statusCode >= 100)");
    expect(explainBreakage(error, { progress: "asked", secure: false })).toEqual({
      type: "failed",
      reason: "bad-http",
      detail: "the answer is no HTTP: its status is below 100",
    });
  });

  test("an attempt per address → all their messages", () => {
    const error = Object.assign(new AggregateError([new Error("refused 1"), new Error("refused 2")]), {
      code: "ECONNREFUSED",
    });
    expect(explainBreakage(error, { progress: "connecting", secure: false })).toEqual({
      type: "failed",
      reason: "connect",
      detail: "refused 1; refused 2",
    });
  });

  test("a message of many lines → one line of at most 200 characters", () => {
    const { detail } = explainBreakage(coded("EPROTO", `first\nsecond ${"x".repeat(300)}`), {
      progress: "connecting",
      secure: true,
    });
    expect(detail).toMatch(/^first second x+…$/);
    expect(detail).toHaveLength(200);
  });
});
