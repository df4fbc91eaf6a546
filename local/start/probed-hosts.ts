import { hostKey } from "../../shared/web/address/host-key.ts";
import { namesPrivateHost } from "../private-host.ts";
import type { StartOptions } from "./start-options.ts";

/** Returns the private hosts of the network probe's URLs. */
export function probedPrivateHosts({ probeUrls }: StartOptions): string[] {
  return probeUrls
    .map((url) => new URL(url))
    .filter(namesPrivateHost)
    .map(hostKey);
}
