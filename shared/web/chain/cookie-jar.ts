import {
  applies,
  type Cookie,
  type CookieSource,
  fromEntry,
  fromHeader,
  identity,
  isSame,
  toEntry,
} from "./cookie.ts";

/**
 * The cookies of one chain of redirects. Publishers set a cookie and check it on the next hop. A jar lasts ten hops and
 * does not hold a person's session, so it needs only the parts of RFC 6265 on domain, path, Secure and deletion, and no
 * library.
 * A jar is a list of texts in the syntax of Set-Cookie, so that a message can carry the jar. `Hop` is the number of the
 * response that last changed the cookie. A deleted cookie stays in the jar with `Max-Age=0`.
 */
export type Jar = readonly string[];

const jarMaxCookies = 20;

/**
 * Returns the jar after a response. A cookie that is set to the same value does not count as changed.
 * @param hop the response's number in the chain, from 0
 */
export function rememberCookies(jar: Jar, answer: CookieSource, hop: number): Jar {
  const setCookie = answer.headers["set-cookie"];
  if (setCookie === undefined) return jar;
  const cookies = new Map(jar.map(fromEntry).map((cookie) => [identity(cookie), cookie]));
  for (const line of setCookie.split("\n")) {
    const cookie = fromHeader(line, answer, hop);
    if (cookie === undefined) continue;
    const known = cookies.get(identity(cookie));
    const isNews = known === undefined ? !cookie.deleted : !isSame(known, cookie);
    if (!isNews) continue;
    // Moves a changed cookie to the end of the list, which is dropped last.
    cookies.delete(identity(cookie));
    cookies.set(identity(cookie), cookie);
  }
  return withinLimit([...cookies.values()]).map(toEntry);
}

/**
 * Drops deleted cookies first, then the cookies that were changed longest ago.
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.3 the order of eviction
 */
function withinLimit(cookies: Cookie[]): Cookie[] {
  const last = cookies.at(-1);
  const kept = [...cookies];
  while (kept.length > jarMaxCookies) {
    // The last cookie shows when the jar was changed.
    const trace = kept.findIndex((cookie) => cookie.deleted && cookie !== last);
    kept.splice(Math.max(trace, 0), 1);
  }
  return kept;
}

/**
 * Returns the Cookie header for a URL.
 * @returns undefined when no cookie applies
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

/** Returns the number of the response that last changed the jar; -1 when no cookie was ever set. */
export function lastChange(jar: Jar): number {
  return jar.reduce((latest, entry) => Math.max(latest, fromEntry(entry).hop), -1);
}
