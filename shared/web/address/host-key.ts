/**
 * What politeness is counted by: the host in lower-case ASCII without a trailing dot, http and https alike, with its
 * port when that is not the scheme's own. Never empty: a host of dots alone is a URL's host, too.
 * @see https://url.spec.whatwg.org/#host-serializing the URL class has lowered the case and applied Punycode
 */
export function hostKey(url: URL): string {
  const hostname = url.hostname.replace(/(?<=.)\.$/, "");
  return url.port === "" ? hostname : `${hostname}:${url.port}`;
}

/** The host key of an address as it is written; what is no address has a line of its own, where it is refused. */
export function hostKeyOf(text: string): string {
  return URL.canParse(text) ? hostKey(new URL(text)) : "invalid";
}

/** The host key of a host as a person names it, with its port or without; undefined for what names no host. */
export function hostKeyOfName(name: string): string | undefined {
  if (/[\s/\\?#@]/.test(name)) return undefined;
  const url = URL.parse(`http://${name}`);
  if (url === null || /^\.*$/.test(url.hostname)) return undefined;
  // A URL with the port of https means the host's https service.
  return url.port === "443" ? hostKey(new URL(`https://${name}`)) : hostKey(url);
}
