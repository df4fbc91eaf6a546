/**
 * What politeness is counted by: the host in lower-case ASCII without a trailing dot, http and https alike, with its
 * port when that is not the scheme's own.
 * @see https://url.spec.whatwg.org/#host-serializing the URL class has lowered the case and applied Punycode
 */
export function hostKey(url: URL): string {
  const hostname = url.hostname.endsWith(".") ? url.hostname.slice(0, -1) : url.hostname;
  return url.port === "" ? hostname : `${hostname}:${url.port}`;
}

/** The host key of an address as it is written; what is no address has a line of its own, where it is refused. */
export function hostKeyOf(text: string): string {
  return URL.canParse(text) ? hostKey(new URL(text)) : "invalid";
}
