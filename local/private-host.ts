import { isIP } from "node:net";
import { isForbiddenAddress } from "../shared/web/address/forbidden-address.ts";

/** Whether a URL names a host of this machine or of a private network outright, so that whoever typed it means it. */
export function namesPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || (isIP(host) !== 0 && isForbiddenAddress(host));
}
