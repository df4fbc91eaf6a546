import { ConfigError } from "../../core/errors.ts";
import { type AddressPolicy, admitUrl, defaultPolicy } from "../../web/address/admit-url.ts";
import type { GateSettings } from "../../web/gate/gate.ts";
import { gatePolicy } from "../../web/gate/gate-policy.ts";
import { list, variable, wholeNumber } from "../environment.ts";

/** Where the deployment lets requests go. */
export function addressPolicy(): AddressPolicy {
  return { ...defaultPolicy, allowedPrivateHosts: new Set(list("allowedPrivateHosts")) };
}

/**
 * The URLs of which one answers when our own network works.
 * @throws ConfigError naming one that may not be asked
 */
export function probeUrls(policy: AddressPolicy): string[] {
  const urls = list("probeUrls");
  for (const url of urls) {
    const admission = admitUrl(url, policy);
    if (admission.type === "refused") throw new ConfigError(`probe URL ${url}: ${admission.detail}`);
  }
  return urls;
}

/** How the deployment lets hosts be asked. @throws ConfigError naming the variable that cannot be used */
export function gateSettings(): Omit<GateSettings, "holder"> {
  return {
    policy: gatePolicy({
      defaultDelayMs: wholeNumber("defaultDelayMs"),
      attempts: wholeNumber("attempts"),
      backoffBaseMs: wholeNumber("backoffBaseMs"),
      lastTryAfterMs: wholeNumber("lastTryAfterMs"),
      crawlDelayMinMs: wholeNumber("crawlDelayMinMs"),
      crawlDelayMaxMs: wholeNumber("crawlDelayMaxMs"),
    }),
    addresses: addressPolicy(),
    userAgent: variable("userAgent"),
  };
}
