import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { LookupError } from "./guarded-lookup.ts";
import type { Resolve } from "./resolve.ts";

/** How long to look for the addresses of a host that the proxy will resolve itself. */
const lookupMs = 2000;

/** More is not an answer to CONNECT. */
const maxHeadBytes = 64 * 1024;

interface ProxyConnectorOptions {
  proxy: URL;
  /** Connects to the proxy, which may be a private host: the operator has named it. */
  toProxy: buildConnector.connector;
  /** Begins TLS with the host on the connection through the proxy. */
  overTunnel: buildConnector.connector;
  resolve: Resolve;
  isForbidden(address: string): boolean;
  /** For the proxy's answer to CONNECT. */
  timeoutMs: number;
}

/** The proxy did not connect us. Its code counts as a failed connection. */
class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly code = "ECONNPROXY";
}

/**
 * Connects through a proxy: to https hosts by a tunnel (CONNECT), for http the connection to the proxy itself is used,
 * with absolute URLs in the requests. The proxy resolves the host's name, so that its addresses cannot be fixed; a host
 * of which this machine knows only forbidden addresses is refused.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-connect
 */
export function proxyConnector(options: ProxyConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    const failed = (error: unknown) =>
      callback(error instanceof Error ? error : new ProxyError(String(error)), null);
    refuseForbidden(target.hostname, options)
      .then(() => connectTo(options))
      .then(async (socket) => {
        if (target.protocol !== "https:") callback(null, socket as never);
        else {
          await openTunnel(socket, target, options);
          options.overTunnel({ ...target, httpSocket: socket }, callback);
        }
      })
      .catch(failed);
  };
}

/** The header with the user name and password of a proxy's URL. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** @throws LookupError */
async function refuseForbidden(
  hostname: string,
  { resolve, isForbidden }: ProxyConnectorOptions,
): Promise<void> {
  // Behind a proxy, name servers often know only the hosts inside.
  const signal = AbortSignal.timeout(lookupMs);
  const late = new Promise<[]>((done) => signal.addEventListener("abort", () => done([]), { once: true }));
  const found = await Promise.race([resolve(hostname, signal).catch(() => []), late]);
  if (found.length > 0 && found.every(({ address }) => isForbidden(address))) {
    const addresses = found.map(({ address }) => address).join(", ");
    throw new LookupError("address", `${hostname} has no public address, only ${addresses}`);
  }
}

function connectTo({ proxy, toProxy }: ProxyConnectorOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { hostname, protocol } = proxy;
    const port = proxy.port || (protocol === "https:" ? "443" : "80");
    toProxy({ hostname, host: proxy.host, protocol, port }, (error, socket) => {
      if (error === null) resolve(socket);
      else reject(new ProxyError(`the proxy ${proxy.host} cannot be reached: ${error.message}`));
    });
  });
}

/** Resolves when the proxy has connected us with the host. @throws ProxyError */
async function openTunnel(
  socket: Socket,
  { hostname, port }: buildConnector.Options,
  { proxy, timeoutMs }: ProxyConnectorOptions,
): Promise<void> {
  const authority = `${hostname}:${port || 443}`;
  const headers = Object.entries(proxyAuthorization(proxy)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${headers.join("")}\r\n`);
  const status = await statusOfAnswer(socket, timeoutMs).catch((error: Error) => {
    socket.destroy();
    throw new ProxyError(`the proxy ${proxy.host} ${error.message}`);
  });
  if (status >= 200 && status < 300) return;
  socket.destroy();
  const why = status === 407 ? "wants a user name and password (407)" : `answered ${status} to CONNECT`;
  throw new ProxyError(`the proxy ${proxy.host} ${why}`);
}

/** Reads the head of a response. What follows it is left to the next reader. */
function statusOfAnswer(socket: Socket, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.pause();
      socket.off("data", onData).off("error", onError).off("close", onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const headEnd = head.indexOf("\r\n\r\n");
      if (headEnd === -1 && head.length <= maxHeadBytes) return;
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1")) ?? [];
      if (headEnd === -1 || status === undefined) end(() => reject(new Error("answers no HTTP")));
      else {
        if (head.length > headEnd + 4) socket.unshift(head.subarray(headEnd + 4));
        end(() => resolve(Number(status)));
      }
    };
    const onError = (error: Error) => end(() => reject(error));
    const onClose = () => end(() => reject(new Error("closed the connection")));
    const timer = setTimeout(
      () => end(() => reject(new Error(`did not answer within ${timeoutMs} ms`))),
      timeoutMs,
    );
    socket.on("data", onData).on("error", onError).on("close", onClose);
  });
}
