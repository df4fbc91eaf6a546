import { isIP } from "node:net";
import { isForbiddenAddress } from "../shared/web/address/forbidden-address.ts";

/** Whether the host of a URL is this machine or a literal private address. Typing it counts as permission. */
export function namesPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || (isIP(host) !== 0 && isForbiddenAddress(host));
}
