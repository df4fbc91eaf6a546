import { systemClock } from "../../core/clock.ts";
import type { GateSettings } from "../../web/gate/gate-ports.ts";
import type { ChooseTransport } from "../../web/gate/transport.ts";
import { chooseTranslation } from "../../web/translation/choose-translation.ts";
import { createTranslationServer } from "../../web/translation/translation-server.ts";
import { translationSlots } from "../../web/translation/translation-slots.ts";
import { Translator } from "../../web/translation/translator.ts";
import { numberVariable, optionalUrlVariable } from "../aws/environment.ts";
import { leaseStore } from "../aws/lease-store.ts";
import { bodyStore } from "./body-store.ts";
import { validatorStore } from "./validator-store.ts";

/** Returns how the deployment makes requests: articles through its translation server, if it has one. */
export function transportFromEnvironment({
  addresses,
  userAgent,
}: Pick<GateSettings, "addresses" | "userAgent">): ChooseTransport {
  const url = optionalUrlVariable("translationServerUrl");
  if (url === undefined) return chooseTranslation(undefined);
  const translator = new Translator({
    server: createTranslationServer({ url, timeoutMs: numberVariable("translationTimeoutMs") }),
    slots: translationSlots({ leases: leaseStore(), clock: systemClock, random: Math.random }),
    cache: validatorStore(),
    body: bodyStore().load,
    addresses,
    userAgent,
    clock: systemClock,
  });
  return chooseTranslation(translator);
}
