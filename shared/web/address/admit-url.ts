import { isIP } from "node:net";
import { isForbiddenAddress } from "./forbidden-address.ts";
import { hostKey } from "./host-key.ts";
import type { Refusal, RefusalReason } from "./refusal.ts";

/** The rules on which addresses may be requested. */
export interface AddressPolicy {
  /** TCP ports that are allowed on every public host. */
  ports: ReadonlySet<number>;
  /** Host keys that may have private addresses, and any port: demo hosts, the operator's own servers. */
  allowedPrivateHosts: ReadonlySet<string>;
}

/**
 * Ports of web servers of libraries and journals. Repositories often use 81, 83, 8000, 8080 and 8088. Known ports of other
 * services (25, 6379, 8009, 9200, …) are excluded.
 */
const webPorts: ReadonlySet<number> = new Set([
  80, 81, 82, 83, 84, 85, 86, 88, 443, 591, 3000, 8000, 8001, 8008, 8080, 8081, 8082, 8083, 8084, 8085, 8088,
  8090, 8180, 8181, 8280, 8443, 8888,
]);

export const defaultAddressPolicy: AddressPolicy = { ports: webPorts, allowedPrivateHosts: new Set() };

/** Returns the default policy, in which the hosts of these URLs may have private addresses. */
export function allowingHostsOf(urls: readonly URL[]): AddressPolicy {
  return { ...defaultAddressPolicy, allowedPrivateHosts: new Set(urls.map(hostKey)) };
}

const urlMaxLength = 8192;

type Admission = { type: "admitted"; url: URL } | Refusal;

/**
 * Decides whether a URL may be requested, before its name is resolved. The admitted URL is canonical: without credentials,
 * fragment or trailing dot of the host, and with literal addresses in one spelling.
 * @see https://url.spec.whatwg.org/#concept-ipv4-parser decimal, octal and hexadecimal spellings of IPv4 addresses
 */
export function admitUrl(text: string, policy: AddressPolicy): Admission {
  if (text.length > urlMaxLength) return refused("bad-url", `longer than ${urlMaxLength} characters`);
  const url = URL.parse(text);
  // The detail omits the text, because credentials cannot be found and removed in an invalid URL.
  if (url === null) return refused("bad-url", "not an absolute URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refused("scheme", `${url.protocol} is neither http: nor https:`);
  }
  normalise(url);
  if (url.href.length > urlMaxLength) return refused("bad-url", `longer than ${urlMaxLength} characters`);
  if (!isHostName(url.hostname)) return refused("bad-url", `${url.hostname} cannot be the name of a host`);
  if (mayBePrivate(url, policy)) return { type: "admitted", url };

  if (!policy.ports.has(portOf(url)))
    return refused("port", `port ${portOf(url)} is not among the web ports`);
  const literal = literalAddress(url);
  if (literal !== undefined && isForbiddenAddress(literal)) {
    return refused("address", `${literal} is not a public address`);
  }
  return { type: "admitted", url };
}

/** Decides whether the policy permits private addresses for the host. */
export function mayBePrivate(url: URL, policy: AddressPolicy): boolean {
  return policy.allowedPrivateHosts.has(hostKey(url));
}

function refused(reason: RefusalReason, detail: string): Refusal {
  return { type: "refused", reason, detail };
}

function normalise(url: URL): void {
  // Each assignment serialises the URL again, and most URLs need neither.
  if (url.username !== "") url.username = "";
  if (url.password !== "") url.password = "";
  // `hash` is also "" for a URL that ends with "#".
  if (url.hash !== "" || url.href.endsWith("#")) url.hash = "";
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
}

/** @see https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
function isHostName(hostname: string): boolean {
  if (hostname.startsWith("[")) return true;
  return hostname.length <= 253 && /^(?:[^.]{1,63}\.)*[^.]{1,63}$/.test(hostname);
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "http:" ? 80 : 443;
}

function literalAddress(url: URL): string | undefined {
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? undefined : host;
}
