import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";

/**
 * Returns the addresses of a hosts file, by name in lower case. Each line has an address and its names; `#` begins a
 * comment. Lines without an address and addresses of one interface (`fe80::1%lo0`) are ignored.
 * @see https://man7.org/linux/man-pages/man5/hosts.5.html
 */
export function parseHostsFile(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0 || address.includes("%")) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts;
}

/** @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
export function isLocalhost(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}
