import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { PlatformError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { parseJson } from "../../core/parse-json.ts";
import { type AddressPolicy, mayBePrivate } from "../address/admit-url.ts";
import { isForbiddenAddress } from "../address/forbidden-address.ts";
import type { Refusal } from "../address/refusal.ts";
import type { ValidatorStore } from "../chain/conditional.ts";
import type { Answer, ExchangeOutcome, Failure } from "../exchange/exchange.ts";
import { explainFailure } from "../exchange/failures.ts";
import { guardedLookup } from "../exchange/guarded-lookup.ts";
import { defaultLimits, lookupTimeoutMs } from "../exchange/limits.ts";
import { type Resolve, resolvePublic } from "../exchange/resolve.ts";
import type { Transport } from "../gate/transport.ts";
import type { OutboundRequest } from "../request/request.ts";
import type { ResponseOutcome } from "../request/response.ts";
import { admitChoices, type Choices, readChoices } from "./choices.ts";
import { type TranslationResult, translationOptionsOf } from "./translation-options.ts";
import type { TranslationCall, TranslationServer } from "./translation-server.ts";
import type { TranslationSlots } from "./translation-slots.ts";

interface TranslatorOptions {
  server: TranslationServer;
  slots: TranslationSlots;
  /** Remembers the choices that were taken. */
  cache: ValidatorStore;
  body(key: string): Promise<Uint8Array>;
  addresses: AddressPolicy;
  userAgent: string;
  clock: Clock;
  resolve?: Resolve;
}

/**
 * The time for which choices are remembered. It is longer than a run, and shorter than the time to the next day's run.
 */
const cacheMaxAgeMs = 6 * 3_600_000;

const maxConcurrentWrites = 16;

type Answered = Extract<ResponseOutcome, { type: "answered" }>;

/** The transport that uses a translation server. Its requests count as requests to the host of the page. */
export class Translator implements Transport {
  readonly exchangeMaxMs: number;
  private readonly options: TranslatorOptions;

  constructor(options: TranslatorOptions) {
    this.options = options;
    this.exchangeMaxMs = options.server.maxMs;
  }

  claimSlot(): ReturnType<TranslationSlots["claim"]> {
    return this.options.slots.claim(this.exchangeMaxMs);
  }

  /**
   * Lets the server translate a page. The server requests the page itself, so the address of the page's host is checked
   * first. A host without a public address is refused, as for a direct request.
   */
  async exchange(request: OutboundRequest): Promise<ExchangeOutcome> {
    const { url, userAgent } = request;
    const failure = await this.lookUp(new URL(url));
    if (failure !== undefined) return failure;
    const { search, choicesKey, returnsChoices } = translationOptionsOf(request) ?? {};
    const call = { url, search, userAgent: userAgent ?? this.options.userAgent };
    if (choicesKey !== undefined) {
      const chosen = readChoices(await this.options.body(choicesKey));
      if (chosen === undefined) throw new PlatformError(`the object ${choicesKey} holds no choices`);
      return this.postChoices(chosen, call);
    }
    const outcome = await this.options.server.translate(call);
    const isList = outcome.type === "answered" && outcome.status === 300 && returnsChoices !== true;
    const offered = isList ? readChoices(outcome.body) : undefined;
    return offered === undefined ? outcome : this.postChoices(offered, call);
  }

  /** Posts choices back, except those that may not be requested. */
  private async postChoices(
    offered: Choices,
    call: Omit<TranslationCall, "choices">,
  ): Promise<ExchangeOutcome> {
    const { addresses, server } = this.options;
    const { items, skippedChoices } = await admitChoices(
      offered,
      { page: call.url, addresses },
      async (url) => {
        const failure = await this.lookUp(url);
        return failure && `${failure.reason}: ${failure.detail}`;
      },
    );
    const [first] = skippedChoices;
    if (first !== undefined && Object.keys(items).length === 0) {
      const detail = `no choice of the list may be fetched; the first is ${first.entry}: ${first.reason}`;
      return { type: "refused", reason: "address", detail };
    }
    const choices = new TextEncoder().encode(JSON.stringify({ ...offered, items }));
    const outcome = await server.translate({ ...call, choices });
    return outcome.type === "answered" && skippedChoices.length > 0
      ? { ...outcome, transport: { ...outcome.transport, skippedChoices } }
      : outcome;
  }

  /** Returns the recent response whose choices included a page. */
  async recall({ url, transport }: OutboundRequest): Promise<Answered | undefined> {
    if (transport !== undefined) return undefined;
    const known = await this.options.cache.recall(keyOf(url));
    const oldestMs = this.options.clock.now().getTime() - cacheMaxAgeMs;
    if (known === undefined || Date.parse(known.fetchedAt) < oldestMs) return undefined;
    const { bodyKey, contentType } = known;
    return {
      type: "answered",
      status: 200,
      url,
      hops: [{ url, status: 200 }],
      headers: contentType === undefined ? {} : { "content-type": contentType },
      bodyKey,
      transport: { translated: "cached" } satisfies TranslationResult,
      elapsedMs: 0,
    };
  }

  /** Remembers a response under the URLs of its choices. */
  async onStored({ url }: OutboundRequest, { body, transport }: Answer, bodyKey: string): Promise<void> {
    if (transport?.translated !== "choices") return;
    const fetchedAt = this.options.clock.now().toISOString();
    const urls = urlsIn(body).filter((address) => address !== url);
    await inParallel(urls, maxConcurrentWrites, (address) =>
      this.options.cache.remember(keyOf(address), { bodyKey, contentType: "application/json", fetchedAt }),
    );
  }

  private lookUp(url: URL): Promise<Refusal | Failure | undefined> {
    const { addresses, resolve = resolvePublic } = this.options;
    if (mayBePrivate(url, addresses)) return Promise.resolve(undefined);
    return new Promise((settle) => {
      const lookUp = guardedLookup(resolve, isForbiddenAddress, lookupTimeoutMs(defaultLimits));
      lookUp(url.hostname, { all: true }, (error) => {
        if (error === null) return settle(undefined);
        const failure = explainFailure(error, { progress: "connecting", secure: false });
        settle(failure.type === "failed" ? { ...failure, elapsedMs: 0 } : failure);
      });
    });
  }
}

function keyOf(url: string): string {
  return digest("translated", url);
}

function urlsIn(body: Uint8Array): string[] {
  const items = parseJson(body);
  if (!Array.isArray(items)) return [];
  const urls = items.map((item: { url?: unknown } | null) => item?.url);
  return [...new Set(urls.filter((url) => typeof url === "string"))];
}
