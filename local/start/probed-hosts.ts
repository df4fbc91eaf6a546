import { hostKey } from "../../shared/web/address/host-key.ts";
import { namesPrivateHost } from "../private-host.ts";
import type { StartOptions } from "./start-options.ts";

/** The private hosts among those of the network probe. */
export function probedPrivateHosts({ probeUrls }: StartOptions): string[] {
  return probeUrls
    .map((url) => new URL(url))
    .filter(namesPrivateHost)
    .map(hostKey);
}
