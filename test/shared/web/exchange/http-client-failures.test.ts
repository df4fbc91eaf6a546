import type { LookupAddress } from "node:dns";
import net from "node:net";
import { describe, expect, test, vi } from "vitest";
import { fromNameServers } from "../../../../shared/web/exchange/resolve.ts";
import { afterFile } from "../../../after-file.ts";
import { badBodies, limitsFor, noAnswers, ok, saying } from "../hostile-responses.ts";
import { serveNames } from "../name-server.ts";
import { client, serve } from "./client-and-servers.ts";

// Side by side: many of them wait for a time-out.
describe.concurrent("exchange with a hostile server that", () => {
  test.each(noAnswers)("%s → %s, and a good exchange afterwards", async (_title, reason, behave) => {
    const hostile = await serve(behave);
    const good = await serve(saying(ok));
    const { exchange } = client([hostile.hostKey, good.hostKey], { limits: limitsFor(reason) });

    const outcome = await exchange({ url: `${hostile.origin}/secret-path` });
    expect(outcome).toEqual({
      type: "failed",
      reason,
      detail: expect.stringMatching(/^[^\n]{1,200}$/),
      elapsedMs: expect.any(Number),
    });
    expect(await exchange({ url: good.origin })).toMatchObject({ type: "answered", status: 200 });
  });

  test.each(badBodies)("%s → %i, and %s", async (_title, status, reason, behave) => {
    const hostile = await serve(behave);
    const { exchange } = client([hostile.hostKey], { limits: limitsFor(reason) });
    const asked = await exchange({ url: `${hostile.origin}/secret-path` });
    expect(asked).toMatchObject({
      type: "answered",
      status,
      body: new Uint8Array(0),
      bodyProblem: { reason, detail: expect.stringMatching(/^[^\n]{1,200}$/) },
    });
    const discarded = await exchange({ url: hostile.origin, bodyMode: "discard" });
    expect(discarded).toMatchObject({ type: "answered", status });
    expect(discarded).not.toHaveProperty("bodyProblem");
  });
});

test("exchange with a hostile server that sends a body in a million chunks of one byte → read in memory that its size bounds", async () => {
  const size = 1_000_000;
  const hostile = await serve((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    socket.write("1\r\nx\r\n".repeat(size));
    socket.write("0\r\n\r\n");
  });
  const roomy = { ...limitsFor("none"), bodyBytes: 2 * size };
  const { exchange } = client([hostile.hostKey], { limits: roomy });
  const before = process.memoryUsage().arrayBuffers;
  const outcome = await exchange({ url: hostile.origin });
  expect(outcome.type === "answered" && outcome.body.byteLength).toBe(size);
  expect(outcome.type === "answered" && outcome.body.buffer.byteLength).toBeLessThanOrEqual(2 * size);
  // A chunk that is kept keeps what it was read with: 64 KiB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * size);
});

describe("exchange with forbidden hosts", () => {
  const loopback: LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];

  test.each([
    ["a literal", (port: number) => `http://127.0.0.1:${port}/`],
    ["a literal in decimal", (port: number) => `http://2130706433:${port}/`],
    ["a mapped literal", (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ["a name that resolves to loopback", (port: number) => `http://rebound.example:${port}/`],
    ["localhost", (port: number) => `http://localhost:${port}/`],
  ])("%s → refused, and no connection is made", async (_title, urlOf) => {
    const server = await serve(saying(ok));
    const policy = { ports: new Set([server.port]), allowedPrivateHosts: new Set<string>() };
    const { exchange } = client([], { policy, resolve: async () => loopback });
    expect(await exchange({ url: urlOf(server.port) })).toMatchObject({ type: "refused", reason: "address" });
    expect(server.connections).toBe(0);
  });

  test("a name on the list → its private address is used", async () => {
    const server = await serve(saying(ok));
    const { exchange } = client([`demo.internal:${server.port}`], { resolve: async () => loopback });
    const outcome = await exchange({ url: `http://demo.internal:${server.port}/` });
    expect(outcome).toMatchObject({ type: "answered" });
    expect(server.requests[0]).toContain(`host: demo.internal:${server.port}\r\n`);
  });

  test.each([
    ["javascript:alert(1)", "scheme"],
    ["http://user:secret@127.0.0.1/", "address"],
    ["http://example.org:25/", "port"],
    ["http://", "bad-url"],
  ])("%s → refused: %s", async (url, reason) => {
    expect(await client([]).exchange({ url })).toEqual({
      type: "refused",
      reason,
      detail: expect.any(String),
    });
  });

  test("a redirect to a private host → an answer; the next hop is refused", async () => {
    const target = await serve(saying(ok));
    const server = await serve(
      saying(`HTTP/1.1 302 Found\r\nLocation: ${target.origin}\r\nContent-Length: 0\r\n\r\n`),
    );
    const { exchange } = client([server.hostKey]);
    const outcome = await exchange({ url: server.origin });
    expect(outcome).toMatchObject({ status: 302, headers: { location: target.origin } });
    expect(await exchange({ url: target.origin })).toMatchObject({ type: "refused" });
    expect(target.connections).toBe(0);
  });
});

describe("exchange with an unreachable host", () => {
  test("an unknown name → dns", async () => {
    const resolve = async (): Promise<never> => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND gone.example"), { code: "ENOTFOUND" });
    };
    const outcome = await client([], { resolve }).exchange({ url: "http://gone.example/" });
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "dns",
      detail: "getaddrinfo ENOTFOUND gone.example",
    });
  });

  test("a name server that never answers → dns, in time", async () => {
    const resolve = (): Promise<never> => new Promise(() => {});
    const limits = { ...limitsFor("none"), connectMs: 200 };
    const outcome = await client([], { resolve, limits }).exchange({ url: "http://gone.example/" });
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "dns",
      detail: "the name gone.example could not be resolved within 0.12 s",
    });
  });

  test("ten names that no name server knows of in time → dns each; the next host answers", async () => {
    const names = await serveNames((name) => (name.startsWith("dead") ? "silence" : { a: "127.0.0.1" }));
    afterFile(names.close);
    const server = await serve(saying(ok));
    const good = `good.example:${server.port}`;
    const resolve = fromNameServers([names.address]);
    const limits = { ...limitsFor("none"), connectMs: 2000 };
    const { exchange } = client([good], { resolve, limits });
    const ended: string[] = [];
    const ask = async (name: string, url: string) => {
      const outcome = await exchange({ url });
      ended.push(name);
      return outcome;
    };
    const dead = Array.from({ length: 10 }, (_, number) => ask("dead", `http://dead${number}.example/`));
    expect(await ask("good", `http://${good}/`)).toMatchObject({ type: "answered", status: 200 });
    for (const outcome of await Promise.all(dead)) {
      expect(outcome).toMatchObject({ type: "failed", reason: "dns" });
    }
    expect(ended[0]).toBe("good");
  });

  test("several addresses → each has a quarter of the time to connect, not of a second", async () => {
    const server = await serve(saying(ok));
    const good = `good.example:${server.port}`;
    const resolve = async (): Promise<LookupAddress[]> => [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ];
    const connect = vi.spyOn(net, "connect");
    const { exchange } = client([good], { resolve, limits: { ...limitsFor("none"), connectMs: 10_000 } });
    expect(await exchange({ url: `http://${good}/` })).toMatchObject({ type: "answered" });
    expect(connect).toHaveBeenCalledWith(expect.objectContaining({ autoSelectFamilyAttemptTimeout: 2_500 }));
    connect.mockRestore();
  });

  test("a closed port → connect", async () => {
    const server = await serve(saying(ok));
    await server.close();
    const outcome = await client([server.hostKey]).exchange({ url: server.origin });
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "connect",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("https on a server of plain http → tls", async () => {
    const server = await serve(saying("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const outcome = await client([server.hostKey]).exchange({ url: `https://${server.hostKey}/` });
    expect(outcome).toMatchObject({ type: "failed", reason: "tls" });
  });

  test("https on a server that hangs up → reset", async () => {
    const server = await serve((socket) => socket.destroy());
    const outcome = await client([server.hostKey]).exchange({ url: `https://${server.hostKey}/` });
    expect(outcome).toMatchObject({ type: "failed", reason: "reset" });
  });
});
