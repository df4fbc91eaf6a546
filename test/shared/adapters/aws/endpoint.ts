import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterAll, vi } from "vitest";
import { listen } from "../../../listen.ts";

interface SdkRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * An endpoint that all clients of the SDK find in the environment, until the file's tests are done. Adapters are to be
 * imported after that.
 * @returns its requests, in order
 */
export async function awsEndpoint(answer: (asked: SdkRequest) => string | object): Promise<SdkRequest[]> {
  const asked: SdkRequest[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: Buffer.concat(pieces).toString("latin1") };
    asked.push(one);
    const body = answer(one);
    response.setHeader("etag", '"tag"');
    // S3 returns the checksum of what it received.
    const checksum = headers["x-amz-checksum-crc32"];
    if (checksum !== undefined) response.setHeader("x-amz-checksum-crc32", checksum);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  vi.stubEnv("AWS_ENDPOINT_URL", await listen(server));
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
  return asked;
}
