import { isUtf8 } from "node:buffer";
import { type AddressPolicy, admitUrl } from "../address/admit-url.ts";
import type { Refusal, RefusalReason } from "../address/refusal.ts";
import type { Hop, Method } from "../exchange/exchange.ts";
import { isRedirect } from "../exchange/redirect-status.ts";
import { type Jar, lastChange, rememberCookies } from "./cookie-jar.ts";

/**
 * The number of redirects in a row after which a request is given up, as in browsers.
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
const maxHops = 20;

/** A chain of redirects so far, with its last request. */
export interface Chain {
  url: string;
  /** GET when absent. */
  method?: Method;
  hops: readonly Hop[];
  /** The jar with which the request was sent. */
  cookies: Jar;
}

/**
 * The decision after a response. `follow.url` is admitted and canonical. If the next request is a POST, it keeps the
 * body of the previous request.
 */
export type NextHop =
  | { type: "final" }
  | { type: "follow"; url: string; method: Method; cookies: string[] }
  | Refusal;

/**
 * Decides whether a chain continues after a response. A URL may be requested again if a cookie has changed since its
 * last request, because some hosts test in this way whether the client accepts cookies.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function followRedirect(
  chain: Chain,
  answer: { status: number; headers: Record<string, string> },
  { addresses, now }: { addresses: AddressPolicy; now: Date },
): NextHop {
  if (!isRedirect(answer.status)) return { type: "final" };
  const [location = "", another] = locationsOf(answer.headers);
  if (another !== undefined) return refused("bad-redirect", `${answer.status} with more than one Location`);
  if (location === "") return refused("bad-redirect", `${answer.status} without a Location`);
  const current = new URL(chain.url);
  const target = URL.parse(location, current.href);
  if (target === null) return refused("bad-redirect", `${answer.status} with a Location that is not a URL`);
  const admission = admitUrl(target.href, addresses);
  if (admission.type === "refused") return { ...admission, detail: `redirected: ${admission.detail}` };

  const hop = chain.hops.length;
  const cookies = rememberCookies(chain.cookies, { url: current, headers: answer.headers, now }, hop);
  const url = admission.url.href;
  const requestedAt = [...chain.hops, { url: chain.url }].findLastIndex(
    (each) => withoutFragment(each.url) === url,
  );
  if (requestedAt !== -1 && lastChange(cookies) < requestedAt) {
    return refused("redirect-loop", `redirected to ${url}, which was requested before`);
  }
  if (hop >= maxHops) return refused("too-many-hops", `more than ${maxHops} redirects`);
  return {
    type: "follow",
    url,
    method: nextMethod(answer.status, chain.method ?? "GET"),
    cookies: [...cookies],
  };
}

/** @see https://fetch.spec.whatwg.org/#http-redirect-fetch step 12: browsers change a POST into a GET */
function nextMethod(status: number, method: Method): Method {
  if (status === 303) return method === "HEAD" ? "HEAD" : "GET";
  return method === "POST" && (status === 301 || status === 302) ? "GET" : method;
}

/**
 * Returns the distinct values of Location. Header values arrive as Latin-1, one character per byte; unescaped Locations
 * are in UTF-8.
 */
export function locationsOf(headers: Readonly<Record<string, string>>): string[] {
  const values = (headers.location ?? "").split("\n").map((value) => value.trim());
  return [...new Set(values)].map((value) => {
    const bytes = Buffer.from(value, "latin1");
    return isUtf8(bytes) ? bytes.toString("utf8") : value;
  });
}

function withoutFragment(text: string): string {
  const url = new URL(text);
  url.hash = "";
  return url.href;
}

function refused(reason: RefusalReason, detail: string): Refusal {
  return { type: "refused", reason, detail };
}
