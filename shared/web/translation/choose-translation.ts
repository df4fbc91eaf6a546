import type { ChooseTransport } from "../gate/transport.ts";
import { translationOptionsOf } from "./translation-options.ts";
import type { Translator } from "./translator.ts";

/**
 * Chooses the translation server, if there is one, for articles, unless the server is known to have no translator for
 * them. Without a server, searches and choices are refused.
 */
export function chooseTranslation(translator: Translator | undefined): ChooseTransport {
  return (request) => {
    const { search, choicesKey, isUntranslated } = translationOptionsOf(request) ?? {};
    if (request.kind === "article" && translator !== undefined && isUntranslated !== true) {
      return { type: "transport", transport: translator };
    }
    return search === undefined && choicesKey === undefined
      ? { type: "direct" }
      : { type: "refused", reason: "no-translation-server", detail: "none is configured" };
  };
}
