import type { Clock } from "../../core/clock.ts";
import { type ExpectedDelayOf, expectedDelay } from "../../web/gate/expected-delay.ts";
import { policyFor } from "../../web/gate/host-delays.ts";
import { delaySettings } from "./delay-settings.ts";
import { gateDelays } from "./gate-settings.ts";
import { hostStates } from "./host-store.ts";

/** Returns the function that expects the delay of a host from the settings, and from the robots.txt that was read last. */
export function expectedDelays(clock: Clock): ExpectedDelayOf {
  const policy = gateDelays();
  const settings = delaySettings(clock);
  const stateOf = hostStates();
  return async (hostKey) => {
    const [state, delays] = await Promise.all([stateOf(hostKey), settings()]);
    return expectedDelay(state, policyFor(hostKey, policy, delays), clock.now().getTime());
  };
}
