import { systemClock } from "../../../core/clock.ts";
import type { GateSettings } from "../../../web/gate/gate-ports.ts";
import { createTranslationServer } from "../../../web/translation/translation-server.ts";
import { translationSlots } from "../../../web/translation/translation-slots.ts";
import { Translator } from "../../../web/translation/translator.ts";
import { numberVariable, optionalUrlVariable } from "../environment.ts";
import { leaseStore } from "../lease-store.ts";
import { bodyStore } from "./body-store.ts";
import { validatorStore } from "./validator-store.ts";

/** The gate's way to the deployment's translation server; undefined where it has none. */
export function translatorFromEnvironment({
  addresses,
  userAgent,
}: Pick<GateSettings, "addresses" | "userAgent">): Translator | undefined {
  const url = optionalUrlVariable("translationServerUrl");
  if (url === undefined) return undefined;
  return new Translator({
    server: createTranslationServer({ url, timeoutMs: numberVariable("translationTimeoutMs") }),
    slots: translationSlots({ leases: leaseStore(), clock: systemClock, random: Math.random }),
    cache: validatorStore(),
    body: bodyStore().load,
    addresses,
    userAgent,
    clock: systemClock,
  });
}
