import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ThrottledError } from "../../../../shared/core/errors.ts";
import { BodyMemory, type BodyPlace } from "../../../../shared/web/exchange/body-memory.ts";
import type { StoreMode } from "../../../../shared/web/exchange/exchange.ts";
import { defaultLimits } from "../../../../shared/web/exchange/limits.ts";
import { client, serve } from "./client-and-servers.ts";

const MiB = 1024 * 1024;
/** A list, which shrinks to a tenth. */
const large = Buffer.from(Array.from({ length: 400_000 }, (_, line) => `<li>${line}`).join("\n")).subarray(
  0,
  3 * MiB,
);

/** A server of bodies, and a client with memory for one large body, which is taken. */
async function withoutMemory(limits: { bodyMs?: number } = {}) {
  const { hostKey, origin } = await serve((socket, request) => {
    const path = request.split(" ")[1];
    const body = path === "/small" ? large.subarray(0, MiB) : path === "/packed" ? gzipSync(large) : large;
    const encoding = path === "/packed" ? "content-encoding: gzip\r\n" : "";
    socket.write(`HTTP/1.1 200 OK\r\n${encoding}content-length: ${body.byteLength}\r\n\r\n`);
    socket.write(body);
  });
  const own = { ...defaultLimits, ...limits, ...(limits.bodyMs && { streamMs: limits.bodyMs }) };
  const http = client([hostKey], { limits: own });
  const memory = new BodyMemory(1);
  const owner = memory.open();
  owner.take();
  const get = (path: string, place: BodyPlace, more: { bodyMode?: StoreMode; capture?: StoreMode } = {}) =>
    http.exchange({ url: `${origin}${path}`, place, ...more });
  return { get, memory, owner };
}

function store(taken: { bytes: number }): StoreMode {
  return {
    maxBytes: 10 * MiB,
    async store(content) {
      for await (const chunk of content) taken.bytes += chunk.byteLength;
      return "key";
    },
  };
}

describe("an exchange while no memory is free for a large body", () => {
  it("a small body → read", async () => {
    const { get, memory } = await withoutMemory();
    expect(await get("/small", memory.open())).toMatchObject({ body: { byteLength: MiB } });
  });

  it.each(["/large", "/packed"])("%s → waits, and is read when the memory is free", async (path) => {
    const { get, memory, owner } = await withoutMemory();
    const events: string[] = [];
    const place = memory.open();
    const reading = get(path, place).then((outcome) => {
      events.push("read");
      return outcome;
    });
    await sleep(100);
    events.push("freed");
    owner.release();
    expect(await reading).toMatchObject({ type: "answered", body: { byteLength: 3 * MiB } });
    expect(events).toEqual(["freed", "read"]);
    const next = memory.open();
    expect(next.take()).toBeInstanceOf(Promise);
    place.release();
    await next.take();
  });

  it.each(["capture", "bodyMode"] as const)("a large body for a store (%s) → waits", async (as) => {
    const { get, memory, owner } = await withoutMemory();
    const taken = { bytes: 0 };
    const reading = get("/large", memory.open(), { [as]: store(taken) });
    await sleep(100);
    expect(taken.bytes).toBeLessThan(2 * MiB);
    owner.release();
    expect(await reading).toMatchObject({ stored: { key: "key" } });
    expect(taken.bytes).toBeGreaterThanOrEqual(3 * MiB);
  });

  it("the deadline passes meanwhile → the host is not blamed, and the client continues", async () => {
    const { get, memory, owner } = await withoutMemory({ bodyMs: 2_000 });
    const place = memory.open();
    await expect(get("/large", place)).rejects.toThrow(ThrottledError);
    place.release();
    owner.release();
    expect(await get("/large", memory.open())).toMatchObject({ body: { byteLength: 3 * MiB } });
  });

  it("the deadline of a store passes meanwhile → nothing is stored", async () => {
    const { get, memory } = await withoutMemory({ bodyMs: 200 });
    const taken = { bytes: 0 };
    const reading = get("/large", memory.open(), { bodyMode: { ...store(taken), keepIncomplete: true } });
    await expect(reading).rejects.toThrow(ThrottledError);
  });
});
