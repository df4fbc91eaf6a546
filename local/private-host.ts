import { isIP } from "node:net";
import { isForbiddenAddress } from "../shared/web/address/forbidden-address.ts";

/**
 * Names the option that permits what the address policy refused; a reason of another kind is unchanged.
 * @param isPermitted whether the option was given: then the refused host is not among those that it permits
 */
export function adviseOnPrivate(reason: string, isPermitted = false): string {
  if (!isPrivateRefusal(reason)) return reason;
  return isPermitted
    ? `${reason}; --allow-private permits only hosts that the command or its source names`
    : `${reason}; --allow-private permits private hosts and any port`;
}

/** As `adviseOnPrivate`, for `npm start`: without a host, its option does not cover sources that are added later. */
export function adviseOnPrivateAtStart(reason: string): string {
  if (!isPrivateRefusal(reason)) return reason;
  return `${reason}; start with --allow-private HOST:PORT to permit this host (repeat it for each host)`;
}

function isPrivateRefusal(reason: string): boolean {
  return /\bnot (?:fetched|requested) \((?:address|port)\)/.test(reason);
}

/** Whether the host of a URL is this machine or a literal private address. Typing it counts as permission. */
export function namesPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || (isIP(host) !== 0 && isForbiddenAddress(host));
}
