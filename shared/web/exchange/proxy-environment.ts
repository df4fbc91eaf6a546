import ipaddr from "ipaddr.js";
import { InputError } from "../../core/errors.ts";

/** Returns the proxy through which a URL is requested; undefined when no proxy is used. */
export type ProxyFor = (url: URL) => URL | undefined;

/**
 * Reads the proxies that the environment names, with the rules of curl: `http_proxy`, `https_proxy`, `all_proxy` and
 * `no_proxy`, in lower or upper case. The local machine is never requested through a proxy.
 * @returns undefined when the environment names no proxy
 * @throws InputError when a proxy is not an http or https URL
 * @see https://everything.curl.dev/usingcurl/proxies/env.html
 */
export function proxiesFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): ProxyFor | undefined {
  const proxies = { "http:": readProxy("http_proxy", env), "https:": readProxy("https_proxy", env) };
  if (proxies["http:"] === undefined && proxies["https:"] === undefined) return undefined;
  const exceptions = (readVariable("no_proxy", env) ?? "").split(/[\s,]+/).filter((each) => each !== "");
  return (url) => {
    if (isThisMachine(url.hostname) || exceptions.some((exception) => isExempt(url, exception)))
      return undefined;
    return url.protocol === "http:" || url.protocol === "https:" ? proxies[url.protocol] : undefined;
  };
}

function readVariable(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const value = (env[name] ?? env[name.toUpperCase()])?.trim();
  return value === "" ? undefined : value;
}

function readProxy(name: string, env: Readonly<Record<string, string | undefined>>): URL | undefined {
  const text = readVariable(name, env) ?? readVariable("all_proxy", env);
  if (text === undefined) return undefined;
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new InputError(name.toUpperCase(), text, "must be an http or https URL of a proxy");
}

function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/**
 * Decides whether an entry of NO_PROXY covers a URL. An entry is `*`, a domain with its subdomains, an address, or a
 * network (CIDR).
 */
function isExempt(url: URL, exception: string): boolean {
  if (exception === "*") return true;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host)) return coversAddress(exception, host);
  const [, name = "", port] = /^\*?\.?(.*?)\.?(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
  if (port !== undefined && port !== (url.port || (url.protocol === "https:" ? "443" : "80"))) return false;
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function coversAddress(exception: string, host: string): boolean {
  const network = exception.replace(/^\[|\]$/g, "");
  const address = ipaddr.parse(host);
  if (ipaddr.isValid(network)) return ipaddr.parse(network).toString() === address.toString();
  if (!ipaddr.isValidCIDR(network)) return false;
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match([base, bits] as never);
}
