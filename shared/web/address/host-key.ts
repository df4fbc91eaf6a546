/**
 * Returns the key of a host, to which delays apply. The key is the host's name in lower-case ASCII without a trailing
 * dot, followed by the port unless the port is the scheme's default. A host has the same key for http and https. The
 * key is never empty, even for a host name that consists of dots only.
 * @see https://url.spec.whatwg.org/#host-serializing the URL class has lowered the case and applied Punycode
 */
export function hostKey(url: URL): string {
  const { hostname, port } = url;
  const name = hostname.length > 1 && hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return port === "" ? name : `${name}:${port}`;
}

/**
 * Returns the host key of a URL given as text. Invalid URLs share the key `invalid`; the gate refuses the requests in
 * that queue.
 */
export function hostKeyOf(text: string): string {
  const url = URL.parse(text);
  return url === null ? "invalid" : hostKey(url);
}

/**
 * Returns the host key of a host name that a person has typed, with or without a port.
 * @returns undefined when the text is not a host
 */
export function hostKeyOfName(name: string): string | undefined {
  if (/[\s/\\?#@]/.test(name)) return undefined;
  const url = URL.parse(`http://${name}`);
  if (url === null || /^\.*$/.test(url.hostname)) return undefined;
  // A port of 443 means the host's https service.
  return url.port === "443" ? hostKey(new URL(`https://${name}`)) : hostKey(url);
}
