import ipaddr from "ipaddr.js";

/** The only part of IPv6 that is handed out to hosts of the internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** IPv4 behind a translator, as DNS64 answers for hosts that have no IPv6 (RFC 6052). */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Services for virtual machines at addresses that are otherwise public. */
const platformServices: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Decides whether an address is none that a content provider can have: loopback, private, link-local, carrier-grade
 * NAT, multicast, metadata services, documentation, benchmarks and all else that is not global unicast. An IPv4 address
 * inside an IPv6 one (mapped, NAT64) is judged itself; the transition forms that nobody routes any more (6to4, Teredo,
 * SIIT, local NAT64) are forbidden whatever they carry. Text that is no address is forbidden.
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
