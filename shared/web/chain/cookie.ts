import { isIP } from "node:net";

/** One cookie of a chain of redirects. */
export interface Cookie {
  name: string;
  value: string;
  /** With a leading dot, the cookie also applies to the subdomains. */
  domain: string;
  path: string;
  secure: boolean;
  deleted: boolean;
  hop: number;
}

/** The URL that sent a response, the response's headers, and its time. */
export interface CookieSource {
  url: URL;
  headers: Record<string, string>;
  now: Date;
}

const cookieMaxLength = 4096;

/**
 * Returns the cookie that a Set-Cookie line sets.
 * @param hop the response's number in the chain, from 0
 * @returns undefined when the cookie is invalid, or the host may not set it
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.3
 */
export function fromHeader(
  line: string,
  { url, headers, now }: CookieSource,
  hop: number,
): Cookie | undefined {
  if (line.length > cookieMaxLength || !/^[^;=]+=/.test(line)) return undefined;
  const { name, value, attributes } = parse(line);
  if (name === "") return undefined;
  // The value is sent back in a header, which carries only printable ASCII unchanged.
  if (!/^[\x20-\x7e]*$/.test(name + value)) return undefined;
  const domain = domainOf(attributes.get("domain"), url.hostname);
  if (domain === undefined) return undefined;
  const path = attributes.get("path") ?? "";
  return {
    name,
    value,
    domain,
    path: path.startsWith("/") ? path : defaultPath(url),
    secure: attributes.has("secure"),
    deleted: hasExpired(attributes, { date: headers.date, now }),
    hop,
  };
}

/**
 * Returns the domain of a cookie: its own host, or the parent domain in its Domain attribute.
 * @returns undefined when the host may not set the cookie, because the attribute names another domain or a top-level
 * domain
 */
function domainOf(attribute: string | undefined, hostname: string): string | undefined {
  const domain = attribute?.toLowerCase().replace(/^\./, "") ?? "";
  if (domain === "") return hostname;
  if (domain === hostname) return isIP(hostname) === 0 ? `.${domain}` : hostname;
  const isParent = hostname.endsWith(`.${domain}`) && domain.includes(".") && isIP(hostname) === 0;
  return isParent ? `.${domain}` : undefined;
}

/**
 * Decides whether a cookie has expired. The expiry date is compared with the host's Date header or, without that
 * header, with the local clock.
 */
function hasExpired(
  attributes: ReadonlyMap<string, string>,
  { date = "", now }: { date: string | undefined; now: Date },
): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return /^(-\d+|0+)$/.test(maxAge);
  const hostTime = Date.parse(date);
  return Date.parse(attributes.get("expires") ?? "") <= (Number.isNaN(hostTime) ? now.getTime() : hostTime);
}

/** @see https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4 */
function defaultPath(url: URL): string {
  return url.pathname.slice(0, url.pathname.lastIndexOf("/")) || "/";
}

/** Decides whether a cookie is sent with a request for the URL. */
export function applies({ domain, path, secure }: Cookie, url: URL): boolean {
  if (secure && url.protocol !== "https:") return false;
  const isHost = domain.startsWith(".") ? `.${url.hostname}`.endsWith(domain) : url.hostname === domain;
  const below = path.endsWith("/") ? path : `${path}/`;
  return isHost && (url.pathname === path || url.pathname.startsWith(below));
}

/** Returns the key of a cookie. A later cookie with the same key replaces it. */
export function identity({ name, domain, path }: Cookie): string {
  return `${name};${domain};${path}`;
}

/** Decides whether two cookies of one key are equal. */
export function isSame(a: Cookie, b: Cookie): boolean {
  return a.value === b.value && a.secure === b.secure && a.deleted === b.deleted;
}

/** Returns the text of a cookie in a jar: the syntax of Set-Cookie, with `Hop`. */
export function toEntry({ name, value, domain, path, secure, deleted, hop }: Cookie): string {
  const flags = `${secure ? "; Secure" : ""}${deleted ? "; Max-Age=0" : ""}`;
  return `${name}=${value}; Domain=${domain}; Path=${path}; Hop=${hop}${flags}`;
}

export function fromEntry(entry: string): Cookie {
  const { name, value, attributes } = parse(entry);
  return {
    name,
    value,
    domain: attributes.get("domain") ?? "",
    path: attributes.get("path") ?? "/",
    secure: attributes.has("secure"),
    deleted: attributes.has("max-age"),
    hop: Number(attributes.get("hop") ?? 0),
  };
}

function parse(text: string): { name: string; value: string; attributes: Map<string, string> } {
  const [[name, value] = ["", ""], ...attributes] = text.split(";").map(pair);
  return { name, value, attributes: new Map(attributes.map(([key, own]) => [key.toLowerCase(), own])) };
}

function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  return at === -1 ? [text.trim(), ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
