import { isIP } from "node:net";

/**
 * The cookies of one chain of redirects: publishers set one and look for it on the next hop. No library: tough-cookie
 * and its list of public suffixes serve a jar that lives for months and holds the sessions of people; this one lives
 * for ten hops and belongs to nobody. What is left of RFC 6265 is domain, path, Secure and deletion.
 *
 * A jar is a list of texts in the syntax of Set-Cookie, so that it can travel in a message. `Hop` tells which answer of
 * the chain has changed the cookie last; a deleted one stays as a trace with `Max-Age=0`.
 */
export type Jar = readonly string[];

interface Cookie {
  name: string;
  value: string;
  /** With a leading dot: the hosts below it too. */
  domain: string;
  path: string;
  secure: boolean;
  deleted: boolean;
  hop: number;
}

/** Where an answer came from, and when. */
interface Answer {
  url: URL;
  headers: Record<string, string>;
  now: Date;
}

const jarMaxCookies = 20;
const cookieMaxLength = 4096;

/**
 * The jar after an answer. A cookie that is set to what it was does not count as changed.
 * @param hop the answer's number in the chain, from 0
 */
export function rememberCookies(jar: Jar, answer: Answer, hop: number): Jar {
  const setCookie = answer.headers["set-cookie"];
  if (setCookie === undefined) return jar;
  const cookies = new Map(jar.map(fromEntry).map((cookie) => [identity(cookie), cookie]));
  for (const line of setCookie.split("\n")) {
    const cookie = fromHeader(line, answer, hop);
    if (cookie === undefined) continue;
    const known = cookies.get(identity(cookie));
    const isNews = known === undefined ? !cookie.deleted : !isSame(known, cookie);
    if (!isNews) continue;
    // To the end: what was changed last is dropped last.
    cookies.delete(identity(cookie));
    cookies.set(identity(cookie), cookie);
  }
  return withinLimit([...cookies.values()]).map(toEntry);
}

/**
 * The traces of deleted cookies make room first, then the cookies that were changed longest ago.
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.3 the order of eviction
 */
function withinLimit(cookies: Cookie[]): Cookie[] {
  const last = cookies.at(-1);
  const kept = [...cookies];
  while (kept.length > jarMaxCookies) {
    // The last one tells when the jar was changed.
    const trace = kept.findIndex((cookie) => cookie.deleted && cookie !== last);
    kept.splice(Math.max(trace, 0), 1);
  }
  return kept;
}

/**
 * The Cookie header for a URL; undefined when none applies.
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.4
 */
export function cookieHeader(jar: Jar, url: URL): string | undefined {
  const applicable = jar
    .map(fromEntry)
    .filter((cookie) => !cookie.deleted && applies(cookie, url))
    .sort((a, b) => b.path.length - a.path.length)
    .map(({ name, value }) => `${name}=${value}`);
  return applicable.length === 0 ? undefined : applicable.join("; ");
}

/** The number of the answer that changed the jar last; -1 while nothing was set. */
export function lastChange(jar: Jar): number {
  return jar.reduce((latest, entry) => Math.max(latest, fromEntry(entry).hop), -1);
}

/** @see https://www.rfc-editor.org/rfc/rfc6265#section-5.3 */
function fromHeader(line: string, { url, headers, now }: Answer, hop: number): Cookie | undefined {
  if (line.length > cookieMaxLength || !/^[^;=]+=/.test(line)) return undefined;
  const { name, value, attributes } = parse(line);
  if (name === "") return undefined;
  // Values go back into a header: printable ASCII is what survives the way unchanged.
  if (!/^[\x20-\x7e]*$/.test(name + value)) return undefined;
  const domain = scopeOf(attributes.get("domain"), url.hostname);
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
 * Whom a cookie is for: its own host, or with a Domain attribute a parent of it that is more than a top-level domain.
 * Undefined when the host has no right to set it.
 */
function scopeOf(attribute: string | undefined, hostname: string): string | undefined {
  const domain = attribute?.toLowerCase().replace(/^\./, "") ?? "";
  if (domain === "") return hostname;
  if (domain === hostname) return isIP(hostname) === 0 ? `.${domain}` : hostname;
  const isParent = hostname.endsWith(`.${domain}`) && domain.includes(".") && isIP(hostname) === 0;
  return isParent ? `.${domain}` : undefined;
}

/** An expiry date is compared with the host's own clock, which has made it; with ours where it tells no time. */
function hasExpired(
  attributes: ReadonlyMap<string, string>,
  { date = "", now }: { date: string | undefined; now: Date },
): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return /^(-\d+|0+)$/.test(maxAge);
  const told = Date.parse(date);
  return Date.parse(attributes.get("expires") ?? "") <= (Number.isNaN(told) ? now.getTime() : told);
}

/** @see https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4 */
function defaultPath(url: URL): string {
  return url.pathname.slice(0, url.pathname.lastIndexOf("/")) || "/";
}

function applies({ domain, path, secure }: Cookie, url: URL): boolean {
  if (secure && url.protocol !== "https:") return false;
  const isHost = domain.startsWith(".") ? `.${url.hostname}`.endsWith(domain) : url.hostname === domain;
  const below = path.endsWith("/") ? path : `${path}/`;
  return isHost && (url.pathname === path || url.pathname.startsWith(below));
}

function identity({ name, domain, path }: Cookie): string {
  return `${name};${domain};${path}`;
}

function isSame(a: Cookie, b: Cookie): boolean {
  return a.value === b.value && a.secure === b.secure && a.deleted === b.deleted;
}

function toEntry({ name, value, domain, path, secure, deleted, hop }: Cookie): string {
  const flags = `${secure ? "; Secure" : ""}${deleted ? "; Max-Age=0" : ""}`;
  return `${name}=${value}; Domain=${domain}; Path=${path}; Hop=${hop}${flags}`;
}

function fromEntry(entry: string): Cookie {
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
