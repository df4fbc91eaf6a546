/**
 * The key of a host, to which delays apply: its name in lower-case ASCII without a trailing dot, and its port unless it is
 * the scheme's default. The key is the same for http and https. Never empty: a host of dots alone is a URL's host, too.
 * @see https://url.spec.whatwg.org/#host-serializing the URL class has lowered the case and applied Punycode
 */
export function hostKey(url: URL): string {
  const { hostname, port } = url;
  const name = hostname.length > 1 && hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return port === "" ? name : `${name}:${port}`;
}

/** The host key of a URL as text. Invalid URLs share the key `invalid`, whose queue refuses them. */
export function hostKeyOf(text: string): string {
  const url = URL.parse(text);
  return url === null ? "invalid" : hostKey(url);
}

/** The host key of a host's name as a person writes it, with or without a port; undefined when it is not a host. */
export function hostKeyOfName(name: string): string | undefined {
  if (/[\s/\\?#@]/.test(name)) return undefined;
  const url = URL.parse(`http://${name}`);
  if (url === null || /^\.*$/.test(url.hostname)) return undefined;
  // A URL with the port of https means the host's https service.
  return url.port === "443" ? hostKey(new URL(`https://${name}`)) : hostKey(url);
}
