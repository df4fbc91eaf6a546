import { ConfigError } from "../../core/errors.ts";
import { type AddressPolicy, admitUrl, defaultAddressPolicy } from "../../web/address/admit-url.ts";
import { gatePolicy } from "../../web/gate/gate-policy.ts";
import type { GateSettings } from "../../web/gate/gate-ports.ts";
import type { DelayPolicy } from "../../web/gate/host-delays.ts";
import { listVariable, numberVariable, variable } from "../aws/environment.ts";

/** Returns the address policy of this deployment. */
export function addressPolicy(): AddressPolicy {
  return { ...defaultAddressPolicy, allowedPrivateHosts: new Set(listVariable("allowedPrivateHosts")) };
}

/**
 * Returns the URLs of the network probe. At least one of them responds if Ingather's own network works.
 * @throws ConfigError naming a URL that the address policy refuses
 */
export function probeUrls(policy: AddressPolicy): string[] {
  const urls = listVariable("probeUrls");
  for (const url of urls) {
    const admission = admitUrl(url, policy);
    if (admission.type === "refused") throw new ConfigError(`probe URL ${url}: ${admission.detail}`);
  }
  return urls;
}

/** Returns the gate's delays in this deployment. @throws ConfigError naming the invalid variable */
export function gateDelays(): DelayPolicy {
  return {
    defaultDelayMs: numberVariable("defaultDelayMs"),
    minDelayMs: 0,
    crawlDelayMinMs: numberVariable("crawlDelayMinMs"),
    crawlDelayMaxMs: numberVariable("crawlDelayMaxMs"),
  };
}

/** Returns the gate's settings in this deployment. @throws ConfigError naming the invalid variable */
export function gateSettings(): Omit<GateSettings, "holder"> {
  return {
    policy: gatePolicy({
      ...gateDelays(),
      maxAttempts: numberVariable("attempts"),
      backoffBaseMs: numberVariable("backoffBaseMs"),
      lastAttemptMinDelayMs: numberVariable("lastAttemptMinDelayMs"),
      exchangeMaxMs: numberVariable("exchangeMaxMs"),
    }),
    addresses: addressPolicy(),
    userAgent: variable("userAgent"),
  };
}
