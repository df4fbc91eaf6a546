import { createServer as createPlainServer } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from "node:http2";
import { createServer } from "node:https";
import type { Server } from "node:net";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { createHttpClient, type HttpClient } from "../../../../shared/web/exchange/http-client.ts";
import { listen } from "../../../listen.ts";
import { hasOpenssl, selfSigned } from "./certificate.ts";

const limits = {
  connectMs: 60_000,
  headersMs: 60_000,
  bodyMs: 60_000,
  headerBytes: 20_000,
  bodyBytes: 100_000,
  drainBytes: 10_000,
};

describe.skipIf(!hasOpenssl)("exchange over TLS (needs openssl, to make a certificate)", () => {
  const trusted = getCACertificates("default");
  const closers: (() => unknown)[] = [];
  let certificate: { key: Buffer; cert: Buffer };

  beforeAll(() => {
    certificate = selfSigned("host.example");
    setDefaultCACertificates([...trusted, certificate.cert.toString()]);
  });
  afterAll(() => setDefaultCACertificates(trusted));
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function reach(
    server: Server,
    times: Partial<typeof limits> = {},
  ): Promise<{ exchange: HttpClient["exchange"]; url(host: string): string }> {
    const { port } = new URL(await listen(server));
    const allowedPrivateHosts = new Set([`host.example:${port}`, `other.example:${port}`]);
    const client = createHttpClient({
      policy: { ...defaultAddressPolicy, allowedPrivateHosts },
      limits: { ...limits, ...times },
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    closers.push(() => server.close(), client.close);
    return { exchange: client.exchange, url: (host) => `https://${host}:${port}/a` };
  }

  function http2(answer: (stream: ServerHttp2Stream, number: number) => void): Http2SecureServer {
    let streams = 0;
    const server = createSecureServer(certificate);
    server.on("stream", (stream) => {
      stream.on("error", () => stream.destroy());
      answer(stream, ++streams);
    });
    server.on("session", (session) => closers.push(() => session.destroy()));
    return server;
  }

  test("an answer that breaks the rules of HTTP → read tolerantly, by one request", async () => {
    let requests = 0;
    const server = createTlsServer(certificate, (socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        requests++;
        socket.write("HTTP/1.1 404 Gone\nTransfer-Encoding: chunked\n\n5\nhel");
        setImmediate(() => socket.write("lo\n0\n\n"));
      });
    });
    const { exchange, url } = await reach(server);
    expect(await exchange({ url: url("host.example") })).toMatchObject({
      status: 404,
      body: Buffer.from("hello"),
      warnings: ["lines end with LF", "lines of chunks end with LF"],
    });
    expect(requests).toBe(1);
  });

  test("a certificate for the host → answered", async () => {
    const { exchange, url } = await reach(
      createServer(certificate, (_request, response) => response.end("hello")),
    );
    const outcome = await exchange({ url: url("host.example") });
    expect(outcome).toMatchObject({ type: "answered", body: Buffer.from("hello") });
  });

  test("a certificate for another host → tls", async () => {
    const { exchange, url } = await reach(
      createServer(certificate, (_request, response) => response.end("hello")),
    );
    const outcome = await exchange({ url: url("other.example") });
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "tls",
      detail: "its certificate is not for other.example, but for host.example (ERR_TLS_CERT_ALTNAME_INVALID)",
    });
    expect(await exchange({ url: url("host.example") })).toMatchObject({ type: "answered" });
  });

  test("a certificate that nobody trusts → tls", async () => {
    setDefaultCACertificates(trusted);
    const { exchange, url } = await reach(
      createServer(certificate, (_request, response) => response.end("hello")),
    );
    const outcome = await exchange({ url: url("host.example") });
    setDefaultCACertificates([...trusted, certificate.cert.toString()]);
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "tls",
      detail: "its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)",
    });
  });

  test("no TLS at all → tls, in words of ours", async () => {
    const { exchange, url } = await reach(createPlainServer((_request, response) => response.end("hello")));
    expect(await exchange({ url: url("host.example") })).toMatchObject({
      type: "failed",
      reason: "tls",
      detail: "it does not use TLS on this port (ERR_SSL_WRONG_VERSION_NUMBER)",
    });
  });

  test("HTTP/2 → answered, headers and cookies as over HTTP/1.1", async () => {
    const server = http2((stream) => {
      stream.respond({
        ":status": 200,
        "set-cookie": ["a=1", "b=2"],
        "x-a": "1",
        "content-encoding": "gzip",
      });
      stream.end(gzipSync("hello"));
    });
    const { exchange, url } = await reach(server);
    for (let round = 0; round < 3; round++) {
      expect(await exchange({ url: url("host.example") })).toMatchObject({
        status: 200,
        headers: { "set-cookie": "a=1\nb=2", "x-a": "1", "content-encoding": "gzip" },
        body: Buffer.from("hello"),
      });
    }
  });

  test("HTTP/2, the first bytes of a body without end → there, three times over", async () => {
    const server = http2((stream) => {
      stream.respond({ ":status": 200 });
      const more = () => {
        while (!stream.destroyed && stream.write("x".repeat(999)));
      };
      stream.on("drain", more);
      more();
    });
    const { exchange, url } = await reach(server);
    for (let round = 0; round < 3; round++) {
      const outcome = await exchange({ url: url("host.example"), bodyMode: { firstBytes: 5000 } });
      expect(outcome).toMatchObject({ status: 200, body: Buffer.from("x".repeat(5000)) });
    }
  });

  test.each<[string, string, (stream: ServerHttp2Stream) => void]>([
    ["resets the stream", "reset", (stream) => stream.close(2)],
    ["destroys the session", "reset", (stream) => stream.session?.destroy()],
    ["refuses the stream", "reset", (stream) => stream.close(7)],
    ["asks for calm", "enhance-your-calm", (stream) => stream.close(11)],
    [
      "sends 200 header fields",
      "enhance-your-calm",
      (stream) =>
        stream.respond(Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`x-${number}`, "1"]))),
    ],
    [
      "sends 30 KB of header fields",
      "headers-too-large",
      (stream) =>
        stream.respond(
          Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`x-${number}`, "1".repeat(1000)])),
        ),
    ],
    [
      "breaks off the body",
      "reset",
      (stream) => {
        stream.respond({ ":status": 200 });
        stream.write("hello", () => stream.session?.destroy());
      },
    ],
    ["says nothing", "timeout", () => {}],
    [
      "stops within the body",
      "timeout",
      (stream) => {
        stream.respond({ ":status": 200 });
        stream.write("hello");
      },
    ],
    [
      "sends a giant body",
      "body-too-large",
      (stream) => {
        stream.respond({ ":status": 200 });
        stream.end(Buffer.alloc(200_000));
      },
    ],
  ])("HTTP/2 that %s → %s, and a good exchange afterwards", async (_title, reason, behave) => {
    let asked = 0;
    const server = http2((stream, number) => {
      asked = number;
      if (number === 1) return behave(stream);
      stream.respond({ ":status": 200 });
      stream.end("hello");
    });
    const times = reason === "timeout" ? { headersMs: 1000, bodyMs: 1000 } : {};
    const { exchange, url } = await reach(server, times);
    const outcome = await exchange({ url: url("host.example") });
    expect(outcome.type === "answered" ? outcome.bodyProblem : outcome).toMatchObject({ reason });
    expect(asked).toBe(1);
    expect(await exchange({ url: url("host.example") })).toMatchObject({ type: "answered", status: 200 });
  });
});
