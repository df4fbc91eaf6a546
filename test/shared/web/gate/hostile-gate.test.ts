import { afterAll, expect, it } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { createHttpClient } from "../../../../shared/web/exchange/http-client.ts";
import type { GatePolicy } from "../../../../shared/web/gate/gate-policy.ts";
import { GateWorld } from "../gate-world.ts";
import { badBodies, limitsFor, noAnswers, ok, saying } from "../hostile-responses.ts";
import { type Behaviour, type RawServer, serveRaw } from "../servers.ts";

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A host that responds `/hostile` as configured, and all else correctly. */
async function serve(behave: Behaviour): Promise<RawServer> {
  const server = await serveRaw((socket, request, connection) => {
    if (request.startsWith("GET /hostile")) behave(socket, request, connection);
    else socket.write(ok);
  });
  closers.push(server.close);
  return server;
}

/** What the gate makes of a batch of one host, over real connections. */
async function outcomesOf(server: RawServer, reason: string): Promise<unknown[]> {
  const addresses = { ...defaultAddressPolicy, allowedPrivateHosts: new Set([server.hostKey]) };
  const client = createHttpClient({ policy: addresses, limits: limitsFor(reason) });
  closers.push(client.close);
  const policy = { defaultDelayMs: 0, maxAttempts: 1, backoffBaseMs: 0 } satisfies Partial<GatePolicy>;
  const world = new GateWorld({}, policy, { exchange: client.exchange });
  const requests = ["/before", "/hostile", "/after"].map((path) => ({
    url: server.origin + path,
    obeyRobots: false,
  }));
  expect(await world.serve(requests, addresses)).toEqual([]);
  expect(server.requests.filter((request) => request.startsWith("GET /hostile"))).toHaveLength(1);
  return [...world.outcomes, ...world.enqueued.map(({ url }) => new URL(url).pathname)];
}

// Side by side: many of them wait for a time-out.
it.concurrent.each(noAnswers)(
  "a host that %s → %s, and its batch continues",
  async (_title, reason, behave) => {
    const outcomes = await outcomesOf(await serve(behave), reason);
    expect(outcomes).toEqual([200, `failed ${reason}`, 200]);
  },
);

it.concurrent.each(badBodies)(
  "a host that %s → %i with %s, and its batch continues",
  async (_title, status, reason, behave) => {
    const outcomes = await outcomesOf(await serve(behave), reason);
    expect(outcomes).toEqual(status === 301 ? [200, 200, "/good"] : [200, status, 200]);
  },
);

it("a host that responds in bytes that only browsers read → its response, with a warning at its hop", async () => {
  const server = await serve(saying("HTTP/1.1 404 Gone\nContent-Length: 2\n\nno"));
  const addresses = { ...defaultAddressPolicy, allowedPrivateHosts: new Set([server.hostKey]) };
  const client = createHttpClient({ policy: addresses, limits: limitsFor("none") });
  closers.push(client.close);
  const world = new GateWorld({}, { defaultDelayMs: 0 }, { exchange: client.exchange });
  const url = `${server.origin}/hostile`;
  expect(await world.serve([{ url, obeyRobots: false }], addresses)).toEqual([]);
  const warning = "not valid HTTP, read as browsers do: lines end with LF";
  expect(world.responses.map(({ outcome }) => outcome.hops)).toEqual([[{ url, status: 404, warning }]]);
  expect(server.requests.filter((request) => request.startsWith("GET /hostile"))).toHaveLength(1);
});
