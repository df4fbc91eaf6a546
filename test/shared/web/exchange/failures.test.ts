import { describe, expect, test } from "vitest";
import { explainFailure } from "../../../../shared/web/exchange/failures.ts";
import { LookupError } from "../../../../shared/web/exchange/guarded-lookup.ts";

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
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "sent", true, "tls"],
    ["ECONNRESET", "sent", false, "reset"],
    ["EPIPE", "sent", false, "reset"],
    ["UND_ERR_SOCKET", "sent", false, "reset"],
    ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "answered", false, "reset"],
    ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "sent", false, "bad-http"],
    ["ERR_HTTP2_STREAM_ERROR", "sent", true, "reset"],
    ["ETIMEDOUT", "sent", false, "timeout"],
    ["UND_ERR_HEADERS_OVERFLOW", "sent", false, "headers-too-large"],
  ] as const)("%s while %s, secure %s → %s", (code, progress, secure, reason) => {
    expect(explainFailure(coded(code), { progress, secure })).toMatchObject({ type: "failed", reason });
  });

  test.each(["bad response", "bad upgrade"])("undici's '%s' → bad-http", (message) => {
    const error = coded("UND_ERR_SOCKET", message);
    expect(explainFailure(error, { progress: "sent", secure: false })).toMatchObject({
      reason: "bad-http",
    });
  });

  test("no address that is allowed → refused", () => {
    const error = new LookupError("address", "host.example has no public address, only ::1");
    expect(explainFailure(error, { progress: "connecting", secure: true })).toEqual({
      type: "refused",
      reason: "address",
      detail: "host.example has no public address, only ::1",
    });
  });

  test("a status below 100 → in words of ours", () => {
    const error = coded("ERR_ASSERTION", "assert(statusCode >= 100)");
    expect(explainFailure(error, { progress: "sent", secure: false })).toEqual({
      type: "failed",
      reason: "bad-http",
      detail: "the response is not valid HTTP: its status is below 100",
    });
  });

  test.each<[code: string, message: string, words: string]>([
    ["CERT_HAS_EXPIRED", "certificate has expired", "its certificate has expired (CERT_HAS_EXPIRED)"],
    [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "self-signed certificate",
      "its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)",
    ],
    [
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca",
      "the issuer of its certificate is unknown, or it does not send the intermediate certificates (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
    ],
    [
      "EPROTO",
      "write EPROTO 40A7:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/ssl.c:354:\n",
      "it does not use TLS on this port (ERR_SSL_WRONG_VERSION_NUMBER)",
    ],
    [
      "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
      "40A7:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:../deps/ssl.c:916:SSL alert number 70\n",
      "its TLS versions are insecure, or not supported by Ingather (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)",
    ],
    [
      "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE",
      "40A7:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../deps/ssl.c:916:\n",
      "its ciphers are insecure, or not supported by Ingather (ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE)",
    ],
    [
      "ERR_SSL_TLSV1_UNRECOGNIZED_NAME",
      "40A7:error:0A000458:SSL routines:ssl3_read_bytes:tlsv1 unrecognized name:../deps/ssl.c:916:\n",
      "it does not serve this name (ERR_SSL_TLSV1_UNRECOGNIZED_NAME)",
    ],
    [
      "ERR_SSL_BAD_ECPOINT",
      "40A7:error:0A000132:SSL routines:tls_process_ske_ecdhe:bad ecpoint:../deps/ssl.c:2261:\n",
      "the TLS handshake failed (ERR_SSL_BAD_ECPOINT)",
    ],
    ["PATH_LENGTH_EXCEEDED", "path length constraint exceeded", "path length constraint exceeded"],
  ])("TLS, %s → in words of ours, with the code", (code, message, words) => {
    expect(explainFailure(coded(code, message), { progress: "connecting", secure: true })).toEqual({
      type: "failed",
      reason: "tls",
      detail: words,
    });
  });

  test.each([
    ["DNS:a.example, DNS:*.a.example, IP Address:192.0.2.1", "but for a.example, *.a.example, 192.0.2.1"],
    [
      "DNS:a.example, DNS:b.example, DNS:c.example, DNS:d.example",
      "but for a.example, b.example, c.example and others",
    ],
  ])("TLS, a certificate for %s → %s", (subjectaltname, words) => {
    const code = "ERR_TLS_CERT_ALTNAME_INVALID";
    const error = Object.assign(coded(code), { host: "x.example", cert: { subjectaltname } });
    expect(explainFailure(error, { progress: "connecting", secure: true })).toMatchObject({
      detail: `its certificate is not for x.example, ${words} (${code})`,
    });
  });

  test("an attempt per address → all their messages", () => {
    const error = Object.assign(new AggregateError([new Error("refused 1"), new Error("refused 2")]), {
      code: "ECONNREFUSED",
    });
    expect(explainFailure(error, { progress: "connecting", secure: false })).toEqual({
      type: "failed",
      reason: "connect",
      detail: "refused 1; refused 2",
    });
  });

  test("a message of many lines → one line of at most 200 characters", () => {
    const { detail } = explainFailure(coded("EPROTO", `first\nsecond ${"x".repeat(300)}`), {
      progress: "connecting",
      secure: true,
    });
    expect(detail).toMatch(/^first second x+…$/);
    expect(detail).toHaveLength(200);
  });
});
