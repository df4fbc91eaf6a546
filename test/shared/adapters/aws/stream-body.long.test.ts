import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen } from "../../../listen.ts";

const MiB = 1024 * 1024;
const piece = Buffer.alloc(MiB, "sixteen bytes. \n");

/** The requests to the store, in order, and the sizes of the parts of each upload. */
const commands: string[] = [];
const partBytes: number[] = [];

/** S3, as far as an upload in parts needs it, and a host that sends `GET /<bytes>`. */
let server: Server;
let origin = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    const isStore = request.url?.startsWith("/bucket/");
    (isStore ? store(request, response) : send(request, response)).catch(() => response.destroy());
  });
  origin = await listen(server);
});
afterAll(() => server.close());

async function send({ url = "" }: IncomingMessage, response: ServerResponse): Promise<void> {
  const sizeBytes = Number(url.slice(1));
  response.setHeader("content-length", sizeBytes);
  for (let left = sizeBytes; left > 0; left -= piece.length) {
    if (!response.write(piece.subarray(0, left))) await once(response, "drain");
  }
  response.end();
}

async function store(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "", origin);
  let sizeBytes = 0;
  for await (const chunk of request) sizeBytes += chunk.length;
  const key = url.pathname.replace("/bucket/", "");
  if (request.method === "PUT") {
    response.setHeader("etag", '"e"');
    if (url.searchParams.has("partNumber")) partBytes.push(sizeBytes);
    else commands.push(`put ${key}`);
    response.end();
    return;
  }
  const isStart = url.searchParams.has("uploads");
  commands.push(`${isStart ? "begin" : "complete"} ${key}`);
  const name = isStart ? "InitiateMultipartUploadResult" : "CompleteMultipartUploadResult";
  response.end(`<?xml version="1.0"?><${name}><UploadId>u</UploadId></${name}>`);
}

it("a body of 512 MiB → uploaded in parts, and memory grows by less than 64 MiB", async () => {
  const sizeBytes = 512 * MiB;
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL_S3: origin,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    RESPONSES_BUCKET: "bucket",
  };
  const script = join(import.meta.dirname, "stream-large-body.ts");
  const args = [script, origin, String(40 * MiB), String(sizeBytes)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const { stored, growthMiB } = JSON.parse(stdout);
  const hash = createHash("sha256");
  for (let sent = 0; sent < sizeBytes; sent += piece.length) hash.update(piece);
  expect(stored).toEqual({ key: `bodies/of-${sizeBytes}`, sizeBytes, sha256: hash.digest("hex") });
  expect(commands.slice(-2)).toEqual([`begin bodies/of-${sizeBytes}`, `complete bodies/of-${sizeBytes}`]);
  expect(Math.max(...partBytes)).toBeLessThan(9 * MiB);
  expect(growthMiB).toBeLessThan(64);
});
