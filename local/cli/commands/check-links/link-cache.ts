import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import * as z from "zod";
import type { Clock } from "../../../../shared/core/clock.ts";
import { dayMs } from "../../../../shared/core/day.ts";
import { InputError } from "../../../../shared/core/errors.ts";
import { parseJson } from "../../../../shared/core/parse-json.ts";
import type { LinkResult } from "../../../../shared/links/check/check-links.ts";
import { findingOf } from "../../../../shared/links/verdict/finding.ts";
import { isStatusOfPage } from "../../../../shared/links/verdict/verdict.ts";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import type { HttpClient } from "../../../../shared/web/exchange/http-client.ts";
import { describeFileError } from "../../../errors/describe-file-error.ts";
import { requestedPart } from "./requested-url.ts";

const entrySchema = z.object({
  /** When the host last confirmed the page (ISO 8601). */
  checkedAt: z.iso.datetime(),
  reason: z.string(),
  hops: z.array(z.object({ url: z.string(), status: z.number().int() })),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});
type Entry = z.output<typeof entrySchema>;

const fileSchema = z.object({
  format: z.literal("ingather check-links cache 1"),
  /**
   * A digest of everything that results depend on besides the host. Entries with another digest are not used.
   */
  ruleDigest: z.string(),
  /**
   * The links that were alive, by their requested URL with the fragment, because another fragment may have
   * another verdict.
   */
  links: z.record(z.string(), entrySchema),
});

/** Entries that no run has confirmed for this time are deleted. */
const maxUnusedMs = 90 * dayMs;

/** Matches validators (such as ETags) that a header can carry unchanged. */
const printableHeader = /^[\x20-\x7e]{1,1024}$/;

interface CacheSettings {
  file: string;
  /** The maximum age of a result that is used without a request. */
  maxAgeMs: number;
  ruleDigest: string;
  clock: Clock;
}

/**
 * The results of earlier runs, of which only alive links are kept.
 * A recent result is used without a request. An older result is confirmed by a conditional request, if the
 * host supports these. All other links are requested again.
 */
export class LinkCache {
  private readonly settings: CacheSettings;
  private readonly entries: Map<string, Entry>;
  /** The validators received in this run, by requested URL. */
  private readonly validators = new Map<string, Pick<Entry, "etag" | "lastModified">>();
  private readonly confirmed = new Set<string>();

  private constructor(settings: CacheSettings, entries: Map<string, Entry>) {
    this.settings = settings;
    this.entries = entries;
  }

  /** @throws InputError when the file cannot be read or is not a cache; a missing file is an empty cache */
  static async open(settings: CacheSettings): Promise<LinkCache> {
    let text: string;
    try {
      text = await readFile(settings.file, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") {
        return new LinkCache(settings, new Map());
      }
      throw new InputError("--cache", settings.file, describeFileError(error));
    }
    const { data } = fileSchema.safeParse(parseJson(text));
    if (data === undefined) {
      throw new InputError(
        "--cache",
        settings.file,
        "is not a cache of check-links; remove it, or name another file",
      );
    }
    const isSameRule = data.ruleDigest === settings.ruleDigest;
    return new LinkCache(settings, new Map(isSameRule ? Object.entries(data.links).filter(isEvidence) : []));
  }

  /** Returns the result of an earlier run if it is recent enough to be used without a request. */
  fresh(link: string): (LinkResult & { checkedAt: string }) | undefined {
    const entry = this.entries.get(requestedPart(link));
    if (entry === undefined || this.ageMs(entry) >= this.settings.maxAgeMs) return undefined;
    return { url: link, verdict: "alive", ...resultOf(entry), elapsedMs: 0, checkedAt: entry.checkedAt };
  }

  /**
   * Returns a client that sends conditional requests for pages with known validators.
   * @param needsPage whether the page itself is needed, so that the request must not be conditional
   */
  around(exchange: HttpClient["exchange"], needsPage: (url: string) => boolean): HttpClient["exchange"] {
    return async (request) => {
      const entry = this.entries.get(request.url);
      // After redirects, the final page may also be the page of another link, so its validators are not used.
      const known = entry?.hops.length === 1 && !needsPage(request.url) ? entry : undefined;
      const outcome = await exchange({ ...request, headers: { ...request.headers, ...conditions(known) } });
      if (outcome.type !== "answered") return outcome;
      if (outcome.status === 304 && known !== undefined) return this.confirm(request.url, outcome);
      this.keepValidators(request.url, outcome);
      return outcome;
    };
  }

  /**
   * Adds a result of this run to the cache. @returns the earlier result if the host has confirmed the page
   */
  settle(result: LinkResult): LinkResult {
    const url = requestedPart(result.url);
    const entry = this.entries.get(url);
    const isConfirmed = this.confirmed.has(url) && result.hops.length === 1 && entry !== undefined;
    const { hops: confirmedHops, elapsedMs } = result;
    const settled: LinkResult = isConfirmed
      ? { url: result.url, verdict: "alive", ...resultOf(entry), hops: confirmedHops, elapsedMs }
      : result;
    const { reason } = settled;
    if (settled.verdict !== "alive") {
      this.entries.delete(url);
    } else {
      const hops = settled.hops.map((hop) => ({ url: hop.url, status: hop.status }));
      const checkedAt = this.settings.clock.now().toISOString();
      this.entries.set(url, { checkedAt, reason, hops, ...this.validators.get(url) });
    }
    return settled;
  }

  /** Replaces the file atomically. @throws InputError when the file cannot be written */
  async save(): Promise<void> {
    const { file, ruleDigest } = this.settings;
    const kept = [...this.entries].filter(([, entry]) => this.ageMs(entry) < maxUnusedMs);
    const content = { format: "ingather check-links cache 1", ruleDigest, links: Object.fromEntries(kept) };
    const temporary = `${file}.${randomUUID()}.tmp`;
    try {
      await writeFile(temporary, JSON.stringify(content));
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw new InputError("--cache", file, describeFileError(error));
    }
  }

  private confirm(url: string, outcome: Extract<ExchangeOutcome, { type: "answered" }>): ExchangeOutcome {
    this.confirmed.add(url);
    const { etag, lastModified } = this.entries.get(url) ?? {};
    this.validators.set(url, { ...(etag && { etag }), ...(lastModified && { lastModified }) });
    return { ...outcome, status: 200, body: new Uint8Array() };
  }

  private keepValidators(
    url: string,
    { status, headers }: Extract<ExchangeOutcome, { type: "answered" }>,
  ): void {
    const { etag = "", "last-modified": lastModified = "" } = headers;
    if (status !== 200) return;
    this.validators.set(url, {
      ...(printableHeader.test(etag) && { etag }),
      ...(printableHeader.test(lastModified) && { lastModified }),
    });
  }

  private ageMs({ checkedAt }: Entry): number {
    const ageMs = this.settings.clock.now().getTime() - Date.parse(checkedAt);
    // A time in the future was set by a wrong clock, so the result counts as too old.
    return ageMs < 0 ? Number.POSITIVE_INFINITY : ageMs;
  }
}

/**
 * Returns whether an entry proves that its link is alive. Earlier versions also kept links whose status does
 * not prove it, such as 418.
 */
function isEvidence([, { hops }]: [string, Entry]): boolean {
  return isStatusOfPage(hops.at(-1)?.status ?? 0);
}

function resultOf({ reason, hops }: Entry): Pick<LinkResult, "reason" | "hops" | "finding"> {
  return { reason, hops, finding: findingOf("alive", hops) };
}

function conditions(entry: Entry | undefined): Record<string, string> {
  return {
    ...(entry?.etag !== undefined && { "if-none-match": entry.etag }),
    ...(entry?.lastModified !== undefined && { "if-modified-since": entry.lastModified }),
  };
}
