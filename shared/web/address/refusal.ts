/**
 * The reason why no request was made. A refusal is final, because a retry cannot help.
 * - `bad-url`: not a URL, or longer than the limit
 * - `scheme`: neither http nor https
 * - `port`: a port outside the configured set
 * - `address`: a loopback, private, link-local, metadata or similar address of a host that is not on the allow-list
 * - `too-many-hops`, `redirect-loop`, `bad-redirect`: the chain of redirects cannot be followed
 */
export type RefusalReason =
  | "bad-url"
  | "scheme"
  | "port"
  | "address"
  | "too-many-hops"
  | "redirect-loop"
  | "bad-redirect";

/** A request that was not made. */
export interface Refusal {
  type: "refused";
  reason: RefusalReason;
  detail: string;
}
