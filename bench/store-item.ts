// Measures the memory of `store-item` while it stores a large file: npx node bench/store-item.ts [bytes, 3 GB
// by default]

import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const pieceBytes = 64 * 1024;

/** Serves S3 in a separate process. Any object has the given size; written data are counted and discarded. */
async function serveS3(sizeBytes: number): Promise<void> {
  const piece = Buffer.alloc(pieceBytes, "%PDF-1.7 ");
  const server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    for await (const _chunk of request);
    if (method === "POST") {
      const name = url.includes("uploads")
        ? "InitiateMultipartUploadResult"
        : "CompleteMultipartUploadResult";
      response.end(`<?xml version="1.0"?><${name}><UploadId>u</UploadId><ETag>"e"</ETag></${name}>`);
      return;
    }
    if (method === "PUT") {
      response.setHeader("etag", '"e"').end();
      return;
    }
    response.setHeader("content-length", sizeBytes);
    for (let sent = 0; sent < sizeBytes; sent += pieceBytes) {
      const part = piece.subarray(0, Math.min(pieceBytes, sizeBytes - sent));
      if (!response.write(part)) await once(response, "drain");
    }
    response.end();
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(sizeBytes: number): Promise<void> {
  const s3 = fork(import.meta.filename, ["serve", String(sizeBytes)]);
  const [port] = (await once(s3, "message")) as [number];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "bench",
    AWS_SECRET_ACCESS_KEY: "bench",
    RESPONSES_BUCKET: "responses",
    FILES_BUCKET: "files",
  });
  const { fileStore } = await import("../shared/harvest/stores/file-store.ts");
  const startedAt = performance.now();
  const file = { sourceId: "s", itemId: "i", requestId: "r", contentType: "application/pdf" };
  const stored = await fileStore().join(["body"], file);
  const seconds = (performance.now() - startedAt) / 1000;
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  s3.kill();
  console.log(
    `${stored.sizeBytes} bytes in ${seconds.toFixed(1)} s; peak memory of the process ${peakMiB} MiB`,
  );
}

const [, , first = "3000000000", second = ""] = process.argv;
await (first === "serve" ? serveS3(Number(second)) : measure(Number(first)));
