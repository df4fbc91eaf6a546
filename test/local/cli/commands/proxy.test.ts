import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "./run-command.ts";

/** A proxy that responds in the place of all hosts. */
let proxy: Server;
let requested: string[] = [];

beforeAll(async () => {
  proxy = createServer((request, response) => {
    requested.push(request.url ?? "");
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(request.url?.endsWith("/robots.txt") ? "User-agent: *\nDisallow: /forbidden" : "no OAI-PMH");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  proxy.close();
  vi.unstubAllEnvs();
});

beforeEach(() => {
  requested = [];
  const address = proxy.address();
  vi.stubEnv("http_proxy", `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  vi.stubEnv("no_proxy", "");
});

it("harvest behind a proxy → robots.txt is read through it and obeyed", async () => {
  const { stderr } = await runCommand(["harvest", "http://93.184.215.14/forbidden"]);
  expect(stderr).toContain("not fetched (robots)");
  expect(requested).toEqual(["http://93.184.215.14/robots.txt"]);
});

it.each([
  ["harvest", "http://10.0.0.1/article"],
  ["oai", "http://10.0.0.1/oai", "identify"],
  ["check-set", "http://10.0.0.1/oai?verb=ListRecords&metadataPrefix=oai_dc&set=a"],
])("%s %s: a private address → not requested through a proxy either", async (...args) => {
  const { code } = await runCommand(args);
  expect({ code, requested }).toEqual({ code: 1, requested: [] });
});

it.each([
  ["oai", "http://93.184.215.14/oai", "identify", "--delay", "0"],
  ["check-set", "http://93.184.215.14/oai?verb=ListRecords&metadataPrefix=oai_dc&set=a", "--delay", "0"],
])("%s %s → through the proxy", async (...args) => {
  await runCommand(args);
  expect(requested.length).toBeGreaterThan(0);
  expect(requested.every((url) => url.startsWith("http://93.184.215.14/"))).toBe(true);
});
