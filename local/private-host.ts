import { isIP } from "node:net";
import { isForbiddenAddress } from "../shared/web/address/forbidden-address.ts";

/**
 * Adds the option that permits a host which the address policy refused. Any other reason is returned
 * unchanged.
 * @param isPermitted whether the option was given; if so, the refused host is not among those that it permits
 */
export function adviseOnPrivate(reason: string, isPermitted = false): string {
  if (!isPrivateRefusal(reason)) return reason;
  return isPermitted
    ? `${reason}; --allow-private permits only hosts that the command or its source names`
    : `${reason}; --allow-private permits private hosts and any port`;
}

/**
 * Like `adviseOnPrivate`, for `npm start`. Its option without a host does not cover sources that are added
 * later, so the advice names the host.
 */
export function adviseOnPrivateAtStart(reason: string): string {
  if (!isPrivateRefusal(reason)) return reason;
  return `${reason}; start with --allow-private HOST:PORT to permit this host (repeat it for each host)`;
}

function isPrivateRefusal(reason: string): boolean {
  return /\bnot (?:fetched|requested) \((?:address|port)\)/.test(reason);
}

/**
 * Returns whether the host of a URL is this machine or a literal private address. A user who types such a URL
 * permits the host.
 */
export function namesPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || (isIP(host) !== 0 && isForbiddenAddress(host));
}
