import type { Detection, DetectLanguage } from "../../formats/language/detect-language.ts";
import { detectEmbedded } from "../../formats/language/embedded-detector.ts";
import { allowingHostsOf } from "../../web/address/admit-url.ts";
import { createHttpClient } from "../../web/exchange/http-client.ts";

/** Enough for a title and its abstract. More text does not improve the detection. */
const maxChars = 10_000;

/** A server in the operator's network responds within milliseconds, and a record must not wait for a broken server. */
const limits = { connectMs: 2_000, headersMs: 10_000, bodyMs: 2_000, bodyBytes: 1_000 };

export interface TikaDetector {
  detect: DetectLanguage;
  close(): Promise<void>;
}

/**
 * Detects languages with an operator's Apache Tika server, which may have a private address and any port. If the server
 * does not respond, or responds without a language code, only the detection fails. After an empty response, the
 * embedded detector is used, because the server has no language model.
 * @param server e.g. `http://tika.internal:9998`
 * @see https://cwiki.apache.org/confluence/display/TIKA/TikaServer#TikaServer-LanguageResource
 */
export function createTikaDetector(server: URL): TikaDetector {
  const client = createHttpClient({ policy: allowingHostsOf([server]), limits });
  const url = new URL("language/string", server.href.replace(/\/*$/, "/")).href;
  return {
    async detect(text, expected) {
      const outcome = await client.exchange({
        url,
        method: "PUT",
        headers: { "content-type": "text/plain; charset=utf-8", accept: "text/plain" },
        body: text.slice(0, maxChars),
      });
      if (outcome.type !== "answered")
        return failedDetection(`gave no response (${outcome.reason}): ${outcome.detail}`);
      if (outcome.status !== 200) return failedDetection(`answered ${outcome.status}`);
      if (outcome.bodyProblem !== undefined)
        return failedDetection(`answered 200: ${outcome.bodyProblem.detail}`);
      const answer = new TextDecoder().decode(outcome.body).trim();
      return answer === "" ? detectEmbedded(text, expected) : parseAnswer(answer);
    },
    close: () => client.close(),
  };
}

function parseAnswer(answer: string): Detection {
  if (answer === "unknown") return { type: "unknown" };
  if (/^[a-z]{2,3}(?:[-_]\w+)?$/i.test(answer)) return { type: "detected", code: answer };
  return failedDetection(`answered ${JSON.stringify(answer.slice(0, 50))}, which is not a language code`);
}

function failedDetection(problem: string): Detection {
  return { type: "failed", reason: `the Tika server ${problem}` };
}
