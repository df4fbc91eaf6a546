/**
 * Measures captures over loopback: resources of 20 KB from many hosts without delay. `npx ingather capture`
 * is compared with `wget --warc-file`, with one process per host, all in parallel. Rounds alternate. Then
 * measures the memory of a capture of one large resource.
 *
 * Usage: npx node bench/capture.ts [--hosts 50] [--resources 10000] [--rounds 3] [--large-mb 2000]
 */
import { fork, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const resourceBytes = 20_000;
const chunk = randomBytes(1_000_000);

/** Serves the hosts. Each home page shows its images; `/large/N` has N MB. */
async function serve(): Promise<void> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const [, kind, value] = /^\/(\w*)\/?(\d*)/.exec(path) ?? [];
    if (path === "/robots.txt") return void response.writeHead(404).end();
    if (kind === "large") {
      const megabytes = Number(value);
      response.writeHead(200, { "content-type": "video/mp4", "content-length": megabytes * chunk.length });
      let sent = 0;
      const send = () => {
        while (sent < megabytes) {
          sent += 1;
          if (!response.write(chunk)) return void response.once("drain", send);
        }
        response.end();
      };
      return send();
    }
    if (kind === "site") {
      const images = Array.from({ length: Number(value) - 1 }, (_, n) => `<img src="/image/${n}">`).join("");
      return void response.writeHead(200, { "content-type": "text/html" }).end(images);
    }
    const start = (Number(value) * 997) % (chunk.length - resourceBytes);
    response.writeHead(200, { "content-type": "image/jpeg", "content-length": resourceBytes });
    response.end(chunk.subarray(start, start + resourceBytes));
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  process.send?.((server.address() as AddressInfo).port);
}

interface Run {
  seconds: number;
  bytes: number;
}

/**
 * Measures processes. @returns the time from the start of the first process to the end of the last one, and
 * the bytes of their WARC files
 */
async function timed(folder: string, start: () => Promise<unknown>): Promise<Run> {
  const startedAt = performance.now();
  await start();
  const seconds = (performance.now() - startedAt) / 1000;
  const files = readdirSync(folder).filter((name) => name.endsWith(".warc.gz"));
  const bytes = files.reduce((sum, name) => sum + readFileSync(join(folder, name)).byteLength, 0);
  return { seconds, bytes };
}

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/** Like the command `npx ingather`: the first line of the script has the same options. */
const ingather = [
  "--max-semi-space-size=16",
  "--initial-old-space-size=64",
  join(import.meta.dirname, "../local/ingather.js"),
];

function captureWithIngather(urls: string[], folder: string): Promise<void> {
  const limits = ["--max-objects", "1000000", "--max-bytes", "60000000000", "--delay", "0"];
  return run(
    process.execPath,
    [...ingather, "capture", ...urls, "--out", "out", "--allow-private", ...limits],
    folder,
  );
}

/** Captures only page requisites, so that both programs fetch the same URLs. */
async function captureWithWget(urls: string[], folder: string): Promise<void> {
  await Promise.all(
    urls.map((url, number) =>
      run(
        "wget",
        [
          "--quiet",
          "--page-requisites",
          "--no-directories",
          "--delete-after",
          `--warc-file=${number}`,
          "--no-warc-keep-log",
          url,
        ],
        folder,
      ),
    ),
  );
}

async function compare(
  port: number,
  given: { hosts: number; resources: number; rounds: number },
): Promise<void> {
  const perHost = Math.round(given.resources / given.hosts);
  const urls = Array.from(
    { length: given.hosts },
    (_, n) => `http://127.0.1.${n + 1}:${port}/site/${perHost}`,
  );
  const ratios: number[] = [];
  for (let round = 0; round < given.rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), "bench-capture-"));
    const ours = mkdtempSync(join(folder, "ours-"));
    const theirs = mkdtempSync(join(folder, "wget-"));
    const first = await timed(join(ours), () => captureWithIngather(urls, ours));
    const second = await timed(theirs, () => captureWithWget(urls, theirs));
    ratios.push(second.seconds / first.seconds);
    console.log(
      `ingather ${first.seconds.toFixed(1)} s, wget ${second.seconds.toFixed(1)} s: ${ratios.at(-1)?.toFixed(2)} times as fast`,
    );
    rmSync(folder, { recursive: true });
  }
  ratios.sort((a, b) => a - b);
  console.log(`median: ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)} times as fast`);
}

/**
 * Measures the peak resident memory of a command, as GNU time does: by the kernel's counter of its process.
 */
async function memory(what: string, url: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-capture-"));
  const child = spawn(
    process.execPath,
    [
      ...ingather,
      "capture",
      ...url,
      "--out",
      "out",
      "--allow-private",
      "--delay",
      "0",
      "--max-objects",
      "1000000",
      "--max-bytes",
      "60000000000",
    ],
    { cwd: folder, stdio: "ignore" },
  );
  let peakMiB = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peakMiB = Math.max(peakMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // The process has ended.
    }
  }, 50);
  await once(child, "exit");
  clearInterval(timer);
  rmSync(folder, { recursive: true });
  console.log(`memory of ${what}: ${peakMiB.toFixed(0)} MiB at most`);
}

if (process.send !== undefined) await serve();
else {
  const { values } = parseArgs({
    options: {
      hosts: { type: "string", default: "50" },
      resources: { type: "string", default: "10000" },
      rounds: { type: "string", default: "3" },
      "large-mb": { type: "string", default: "2000" },
    },
  });
  const server = fork(import.meta.filename);
  const [port] = (await once(server, "message")) as [number];
  const hosts = Number(values.hosts);
  const resources = Number(values.resources);
  await compare(port, { hosts, resources, rounds: Number(values.rounds) });
  const sites = Array.from(
    { length: hosts },
    (_, n) => `http://127.0.1.${n + 1}:${port}/site/${resources / hosts}`,
  );
  await memory(`${resources} resources`, sites);
  await memory(`one resource of ${values["large-mb"]} MB`, [
    `http://127.0.1.1:${port}/large/${values["large-mb"]}`,
  ]);
  server.kill();
}
