import ipaddr from "ipaddr.js";

/** The only IPv6 range that is assigned to public hosts. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** IPv4 addresses that DNS64 maps into IPv6 (RFC 6052). */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Public addresses that cloud platforms use for services to virtual machines. */
const platformServices: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Decides whether an address cannot belong to a content provider: loopback, private, link-local, carrier-grade NAT,
 * multicast, metadata services, documentation, benchmarks and everything else that is not global unicast. An IPv4 address
 * inside an IPv6 one (mapped, NAT64) is checked itself. The obsolete transition forms (6to4, Teredo, SIIT, local NAT64)
 * and text that is not an address are forbidden.
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
