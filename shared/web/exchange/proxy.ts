import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { LookupError } from "./guarded-lookup.ts";
import type { Resolve } from "./resolve.ts";

/** The longest lookup of the addresses of a host whose name the proxy resolves itself. */
const lookupMs = 2000;

/** A longer response is not a valid response to CONNECT. */
const maxHeadBytes = 64 * 1024;

interface ProxyConnectorOptions {
  proxy: URL;
  /** Connects to the proxy. The proxy may be a private host, because the operator has named it. */
  toProxy: buildConnector.connector;
  /** Begins TLS with the host on the connection through the proxy. */
  overTunnel: buildConnector.connector;
  resolve: Resolve;
  isForbidden(address: string): boolean;
  /** The time limit for the proxy's response to CONNECT. */
  timeoutMs: number;
}

/** The error of a proxy that did not connect to the host. Its code counts as a failed connection. */
class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly code = "ECONNPROXY";
}

/**
 * Connects through a proxy. For https hosts, it opens a tunnel (CONNECT). For http hosts, it uses the connection to the
 * proxy itself, with absolute URLs in the requests. The proxy resolves the host's name, so the address cannot be fixed.
 * A host is refused if this machine knows only forbidden addresses of it.
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

/** Returns the header with the user name and password of a proxy's URL. */
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
  // In a network behind a proxy, name servers often know only internal hosts.
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

/** Resolves when the proxy has connected to the host. @throws ProxyError */
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
  const why = status === 407 ? "requires a user name and password (407)" : `answered ${status} to CONNECT`;
  throw new ProxyError(`the proxy ${proxy.host} ${why}`);
}

/** Reads the head of a response. Bytes after the head are left to the next reader. */
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
      if (headEnd === -1 || status === undefined) end(() => reject(new Error("did not respond with HTTP")));
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
