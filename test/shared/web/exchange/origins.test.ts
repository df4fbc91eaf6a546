import type { Socket } from "node:net";
import type { Client } from "undici";
import { expect, it, vi } from "vitest";
import { maxIdleMs, OpenOrigins } from "../../../../shared/web/exchange/origins.ts";
import { WireTap } from "../../../../shared/web/exchange/tolerant/wire-tap.ts";
import { client, serve } from "./client-and-servers.ts";

const host = new URL("https://host.example/a");

function origins() {
  const clock = { nowMs: 0 };
  const opened: { isClosed: boolean }[] = [];
  const all = new OpenOrigins(
    9,
    () => {
      const state = { isClosed: false };
      opened.push(state);
      const close = async () => {
        state.isClosed = true;
      };
      return { client: { close } as unknown as Client, tap: new WireTap(1) };
    },
    () => clock.nowMs,
  );
  return { all, clock, opened };
}

it.each([
  ["idle, as long as it is kept,", maxIdleMs, 0, 1],
  ["idle longer, as while Lambda froze the function,", maxIdleMs + 1, 0, 2],
  ["used by another exchange", maxIdleMs + 1, 1, 1],
])(
  "a connection %s for %d ms, exchanges on it: %d → connections: %d",
  (_title, afterMs, inFlight, expected) => {
    const { all, clock, opened } = origins();
    const first = all.of(host);
    first.endedAtMs = 0;
    first.inFlight = inFlight;
    clock.nowMs = afterMs;
    all.of(host);
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([expected === 2, false].slice(0, expected));
  },
);

it("a host closes its connection while the function is frozen → the next request is answered, on another one", async () => {
  const sockets: Socket[] = [];
  const server = await serve((socket) => {
    sockets.push(socket);
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  const http = client([server.hostKey]);
  const ask = () => http.exchange({ url: `${server.origin}/` });
  expect(await ask()).toMatchObject({ type: "answered", status: 200 });
  const thawedAtMs = Date.now() + maxIdleMs + 1;
  const clock = vi.spyOn(Date, "now").mockReturnValue(thawedAtMs);
  // The client cannot see it before it sends the next request.
  sockets[0]?.destroy();
  const answer = ask();
  clock.mockRestore();
  expect(await answer).toMatchObject({ type: "answered", status: 200 });
  expect(new Set(sockets).size).toBe(2);
});
