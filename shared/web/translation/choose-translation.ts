import type { ChooseTransport } from "../gate/transport.ts";
import { translationOptionsOf } from "./translation-options.ts";
import type { Translator } from "./translator.ts";

/** Sends articles to the translation server, if there is one. Without one, searches and choices are refused. */
export function chooseTranslation(translator: Translator | undefined): ChooseTransport {
  return (request) => {
    if (request.kind === "article" && translator !== undefined) {
      return { type: "transport", transport: translator };
    }
    if (request.transport === undefined) return { type: "direct" };
    const { search, choicesKey } = translationOptionsOf(request) ?? {};
    return search === undefined && choicesKey === undefined
      ? { type: "direct" }
      : { type: "refused", reason: "no-translation-server", detail: "none is configured" };
  };
}
