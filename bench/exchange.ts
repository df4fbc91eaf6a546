/**
 * Measures the overhead of Ingather's HTTP client over a bare undici Client that drains bodies: the same
 * requests to 50 loopback hosts, one at a time per host. Rounds alternate, so that a busy machine slows both.
 * CPU time is compared, because wall time also includes the server's time.
 *
 * Usage: npx node bench/exchange.ts [requests] [hosts]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Client } from "undici";
import { defaultAddressPolicy } from "../shared/web/address/admit-url.ts";
import { createHttpClient } from "../shared/web/exchange/http-client.ts";

type Ask = (port: number, number: number) => Promise<unknown>;

interface Round {
  perSecond: number;
  cpuMicros: number;
}

const page = `<!doctype html><title>Article</title>${"<p>Lorem ipsum dolor sit amet</p>".repeat(60)}`;
const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${page.length}\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nServer: bench\r\n\r\n${page}`;

if (process.argv[2] === "serve") await serve(Number(process.argv[3]));
else await measure(Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 50));

async function serve(hosts: number): Promise<void> {
  const ports: number[] = [];
  for (let host = 0; host < hosts; host++) {
    const server = createServer((socket) => {
      socket.setNoDelay(true);
      socket.on("data", () => socket.write(answer));
      socket.on("error", () => socket.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push((server.address() as AddressInfo).port);
  }
  process.send?.(ports);
}

async function measure(requests: number, hosts: number): Promise<void> {
  const server = fork(import.meta.filename, ["serve", String(hosts)]);
  const [ports] = (await once(server, "message")) as [number[]];
  const policy = {
    ...defaultAddressPolicy,
    allowedPrivateHosts: new Set(ports.map((port) => `127.0.0.1:${port}`)),
  };
  const ours = createHttpClient({ policy });
  const bare = new Map(ports.map((port) => [port, new Client(`http://127.0.0.1:${port}`)]));

  const contestants: Record<string, Ask> = {
    "undici Client": async (port, number) => {
      const answered = await bare.get(port)?.request({ method: "GET", path: `/article/${number}` });
      for await (const _chunk of answered?.body ?? []);
    },
    "ours, discard": (port, number) =>
      ours.exchange({ url: `http://127.0.0.1:${port}/article/${number}`, bodyMode: "discard" }),
    "ours, keep": (port, number) => ours.exchange({ url: `http://127.0.0.1:${port}/article/${number}` }),
  };
  const rounds: Record<string, Round[]> = {};
  for (let round = 0; round < 4; round++) {
    for (const [name, ask] of Object.entries(contestants)) {
      const result = await runRound(ports, round === 0 ? requests / 5 : requests, ask);
      // The first round is a warm-up.
      if (round > 0) rounds[name] = [...(rounds[name] ?? []), result];
    }
  }
  await ours.close();
  await Promise.all([...bare.values()].map((client) => client.close()));
  server.kill();
  report(rounds);
}

async function runRound(ports: number[], requests: number, ask: Ask): Promise<Round> {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let next = 0;
  await Promise.all(
    ports.map(async (port) => {
      while (next < requests) await ask(port, next++);
    }),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    perSecond: requests / ((performance.now() - startedAt) / 1000),
    cpuMicros: (user + system) / requests,
  };
}

function report(rounds: Record<string, Round[]>): void {
  const best = Object.entries(rounds).map(([name, results]) => ({
    name,
    perSecond: Math.max(...results.map((each) => each.perSecond)),
    cpuMicros: Math.min(...results.map((each) => each.cpuMicros)),
  }));
  const [bare] = best;
  if (bare === undefined) return;
  for (const { name, perSecond, cpuMicros } of best) {
    const time = (bare.perSecond / perSecond).toFixed(2);
    const cpu = (cpuMicros / bare.cpuMicros).toFixed(2);
    console.log(
      `${name.padEnd(14)} ${perSecond.toFixed(0).padStart(7)} req/s  ${cpuMicros.toFixed(1).padStart(5)} µs CPU each  time × ${time}  CPU × ${cpu}`,
    );
  }
}
