import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { createHttpClient } from "../../../../shared/web/exchange/http-client.ts";
import { proxiesFromEnvironment } from "../../../../shared/web/exchange/proxy-environment.ts";
import type { Resolve } from "../../../../shared/web/exchange/resolve.ts";
import { listen as listenTo } from "../../../listen.ts";
import { hasOpenssl, selfSigned } from "./certificate.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  closers.push(() => server.close());
  return Number(new URL(await listenTo(server)).port);
}

/** A proxy that logs what it is asked, and leads every tunnel to one port. */
async function startProxy(
  respond: (request: IncomingMessage) => { status: number; body?: string },
  tunnelPort = 0,
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const log = ({ method, url, headers }: IncomingMessage) =>
    asked.push([method, url, headers.host, headers["proxy-authorization"]].filter(Boolean).join(" "));
  const server = createServer((request, answer) => {
    log(request);
    const { status, body = "" } = respond(request);
    answer.writeHead(status).end(body);
  });
  server.on("connect", (request, socket) => {
    log(request);
    const { status } = respond(request);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const target = connect(tunnelPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    target.on("error", () => socket.destroy());
    return socket.on("error", () => target.destroy());
  });
  closers.push(() => server.closeAllConnections());
  return { url: `127.0.0.1:${await listen(server)}`, asked };
}

const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }));

function clientThrough(
  proxy: string,
  { resolve = resolvesTo(), insecureHosts = [] }: { resolve?: Resolve; insecureHosts?: string[] } = {},
) {
  const client = createHttpClient({
    policy: defaultAddressPolicy,
    resolve,
    proxyFor: () => new URL(proxy),
    insecureHosts: new Set(insecureHosts),
    limits: { connectMs: 3000, headersMs: 3000 },
  });
  closers.push(() => client.close());
  return client;
}

describe("through a proxy", () => {
  it("http → an absolute URL, with the proxy's user name and password", async () => {
    const { url, asked } = await startProxy(() => ({ status: 200, body: "hello" }));
    const client = clientThrough(`http://bob:p%40ss@${url}/`);
    const outcome = await client.exchange({ url: "http://host.example/a?b" });
    expect(outcome).toMatchObject({ type: "answered", status: 200 });
    const credentials = Buffer.from("bob:p@ss").toString("base64");
    expect(asked).toEqual([`GET http://host.example/a?b host.example Basic ${credentials}`]);
  });

  it("407 of the proxy → no answer of the host", async () => {
    const { url } = await startProxy(() => ({ status: 407 }));
    const outcome = await clientThrough(`http://${url}`).exchange({ url: "http://host.example/" });
    expect(outcome).toMatchObject({ type: "failed", reason: "connect" });
    expect(outcome).toHaveProperty("detail", expect.stringContaining("requires a user name and password"));
  });

  it.each([407, 403, 502])(
    "https and %i to CONNECT → a failed connection that names the proxy",
    async (status) => {
      const { url, asked } = await startProxy(() => ({ status }));
      const outcome = await clientThrough(`http://${url}`).exchange({ url: "https://host.example/" });
      expect(asked).toEqual(["CONNECT host.example:443 host.example:443"]);
      expect(outcome).toMatchObject({ type: "failed", reason: "connect" });
      expect(outcome).toHaveProperty("detail", expect.stringContaining(`proxy ${url}`));
    },
  );

  it("no proxy there → a failed connection that names it", async () => {
    const outcome = await clientThrough("http://127.0.0.1:1").exchange({ url: "https://host.example/" });
    expect(outcome).toMatchObject({ type: "failed", reason: "connect" });
    expect(outcome).toHaveProperty(
      "detail",
      expect.stringContaining("the proxy 127.0.0.1:1 cannot be reached"),
    );
  });

  it.each([
    { title: "a literal private address", target: "http://10.0.0.1/", resolve: resolvesTo() },
    {
      title: "a name with private addresses only",
      target: "http://a.example/",
      resolve: resolvesTo("10.0.0.1"),
    },
    { title: "the same over https", target: "https://a.example/", resolve: resolvesTo("169.254.169.254") },
    { title: "a forbidden port", target: "http://a.example:6379/", resolve: resolvesTo() },
  ])("$title → refused, and the proxy is not asked", async ({ target, resolve }) => {
    const { url, asked } = await startProxy(() => ({ status: 200 }));
    const outcome = await clientThrough(`http://${url}`, { resolve }).exchange({ url: target });
    expect(outcome.type).toBe("refused");
    expect(asked).toEqual([]);
  });

  it("a name that only the proxy knows → requested", async () => {
    const { url } = await startProxy(() => ({ status: 204 }));
    const resolve = async () => {
      throw new Error("no name server");
    };
    const outcome = await clientThrough(`http://${url}`, { resolve }).exchange({ url: "http://a.example/" });
    expect(outcome).toMatchObject({ status: 204 });
  });

  it.skipIf(!hasOpenssl)(
    "https → a tunnel with TLS inside; an insecure host's certificate is accepted, another's is not",
    async () => {
      const host = createSecureServer(selfSigned("x"), (_request, answer) => answer.end("inside"));
      closers.push(() => host.closeAllConnections());
      const { url, asked } = await startProxy(() => ({ status: 200 }), await listen(host));
      const client = clientThrough(`http://${url}`, { insecureHosts: ["self.example"] });
      const accepted = await client.exchange({ url: "https://self.example/" });
      expect(accepted).toMatchObject({ type: "answered", status: 200 });
      expect(asked).toEqual(["CONNECT self.example:443 self.example:443"]);
      const refused = await client.exchange({ url: "https://other.example/" });
      expect(refused).toMatchObject({ type: "failed", reason: "tls" });
    },
  );
});

describe("proxies of the environment", () => {
  const env = {
    http_proxy: "http://one.example:3128",
    HTTPS_PROXY: "two.example:8080",
    NO_PROXY: "direct.example, .sub.example,10.0.0.0/8,host.example:8080,192.0.2.1",
  };
  it.each([
    ["http://a.example/", "http://one.example:3128/"],
    ["https://a.example/", "http://two.example:8080/"],
    ["https://direct.example/", undefined],
    ["https://www.direct.example/", undefined],
    ["https://indirect.example/", "http://two.example:8080/"],
    ["http://x.sub.example/", undefined],
    ["http://10.1.2.3/", undefined],
    ["http://11.1.2.3/", "http://one.example:3128/"],
    ["http://192.0.2.1/", undefined],
    ["http://host.example:8080/", undefined],
    ["http://host.example/", "http://one.example:3128/"],
    ["http://localhost:3000/", undefined],
    ["http://127.0.0.1/", undefined],
    ["http://[::1]/", undefined],
  ])("%s → %s", (url, proxy) => {
    expect(proxiesFromEnvironment(env)?.(new URL(url))?.href).toBe(proxy);
  });

  it("none → none; `*` exempts all; one that is not a URL is refused", () => {
    expect(proxiesFromEnvironment({ HTTP_PROXY: " " })).toBeUndefined();
    const all = proxiesFromEnvironment({ all_proxy: "http://p.example", no_proxy: "*" });
    expect(all?.(new URL("http://a.example"))).toBeUndefined();
    expect(() => proxiesFromEnvironment({ https_proxy: "socks5://user:secret@p.example" })).toThrow(
      /^HTTPS_PROXY: must be/,
    );
    expect(() => proxiesFromEnvironment({ https_proxy: "socks5://user:secret@p.example" })).not.toThrow(
      /secret/,
    );
  });
});
