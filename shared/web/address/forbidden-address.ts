import ipaddr from "ipaddr.js";

/** The only IPv6 range that is assigned to public hosts. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** The prefix of the IPv6 addresses to which DNS64 maps IPv4 addresses (RFC 6052). */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Public addresses at which cloud platforms offer services to virtual machines. */
const platformServices: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Decides whether an address cannot belong to a content provider. Loopback, private, link-local, carrier-grade NAT,
 * multicast, metadata, documentation and benchmark addresses are forbidden, as is everything else that is not global
 * unicast. For an IPv4 address inside an IPv6 address (mapped, NAT64), the IPv4 address is checked. The obsolete
 * transition forms (6to4, Teredo, SIIT, local NAT64) and text that is not an address are forbidden.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export function isForbiddenAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return true;
  const address = innermost(ipaddr.parse(text));
  if (address.range() !== "unicast") return true;
  return address instanceof ipaddr.IPv6
    ? !address.match(globalUnicast)
    : platformServices.has(address.toString());
}

function innermost(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}
