import { systemClock } from "../../core/clock.ts";
import type { GateSettings } from "../../web/gate/gate.ts";
import { createTranslationServer } from "../../web/translation/translation-server.ts";
import { Translator } from "../../web/translation/translator.ts";
import { optionalUrl, wholeNumber } from "../environment.ts";
import { bodyStore } from "./body-store.ts";
import { translationPlaces } from "./translation-places.ts";
import { validatorStore } from "./validator-store.ts";

/** The gate's way to the deployment's translation server; undefined where it has none. */
export function deployedTranslator({
  addresses,
  userAgent,
}: Pick<GateSettings, "addresses" | "userAgent">): Translator | undefined {
  const url = optionalUrl("translationServerUrl");
  if (url === undefined) return undefined;
  return new Translator({
    server: createTranslationServer({ url, timeoutMs: wholeNumber("translationTimeoutMs") }),
    places: translationPlaces(),
    known: validatorStore(),
    body: bodyStore().body,
    addresses,
    userAgent,
    clock: systemClock,
  });
}
