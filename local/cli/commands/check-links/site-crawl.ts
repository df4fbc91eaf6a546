import { digest } from "../../../../shared/core/digest.ts";
import type { LinkResult } from "../../../../shared/links/check/check-links.ts";
import { loadChain } from "../../../../shared/links/check/load-chain.ts";
import { pagesLinkedFrom, readHtmlLinks } from "../../../../shared/links/extract/html-links.ts";
import { detectLinkFormat } from "../../../../shared/links/extract/link-formats.ts";
import { readSitemapLinks } from "../../../../shared/links/extract/sitemap-links.ts";
import type { CompiledRule } from "../../../../shared/links/rule/rule.ts";
import { judgeLink } from "../../../../shared/links/verdict/verdict.ts";
import { siteOf } from "../../../../shared/web/address/site.ts";
import { markupOf } from "../../../../shared/web/encoding/markup.ts";
import { type InboundResponse, isUsableAnswer } from "../../../../shared/web/request/response.ts";
import type { InProcessGate } from "../../harvest/in-process-gate.ts";
import type { FoundLinks } from "./found-links.ts";
import type { FragmentCheck } from "./fragment-check.ts";
import { requestedUrl } from "./requested-url.ts";

interface SiteCrawlOptions {
  gate: InProcessGate;
  rule: CompiledRule;
  /** The list to which the crawl adds the links that it finds. */
  links: FoundLinks;
  isWanted(url: string): boolean;
  /** The maximum number of links between the start and a page that is read. */
  depth: number;
  /** The wait after each request to a host, in milliseconds. */
  delayMs: number;
  fragments: FragmentCheck | undefined;
  onAnswer(answers: number): void;
}

/** The purpose of a request. The crawl reads the links of documents, but not those of resources. */
type Role = "document" | "page" | "resource";

interface Visit {
  url: string;
  role: Role;
  /** The number of links between the start and this page. */
  depth: number;
}

/**
 * Reads the pages of sites and follows their links within the site.
 * Requests go through the gate: one at a time per host, in accordance with robots.txt. Links to other sites
 * are collected, but not requested.
 */
export class SiteCrawl {
  private readonly options: SiteCrawlOptions;
  private readonly sites = new Set<string>();
  private readonly visited = new Set<string>();
  private readonly results = new Map<string, Omit<LinkResult, "url">>();
  private readonly end = Promise.withResolvers<void>();
  private open = 0;

  constructor(options: SiteCrawlOptions) {
    this.options = options;
  }

  /**
   * Crawls until all pages are read.
   * @param starts pages or sitemaps; their sites are crawled
   * @param sitemaps sitemaps whose pages are checked, but are crawled only if they belong to one of the sites
   * @throws the signal's reason when the gate is aborted
   */
  async run(starts: readonly string[], sitemaps: readonly string[]): Promise<void> {
    for (const url of starts) {
      const parsed = URL.parse(url);
      if (parsed !== null) this.sites.add(siteOf(parsed));
    }
    this.open++;
    for (const url of [...starts, ...sitemaps]) {
      this.options.links.add(url);
      this.start({ url, role: "document", depth: 0 });
    }
    this.close();
    await this.end.promise;
  }

  /** Returns the result of a link that the crawl has requested; undefined for a link to another site. */
  resultOf(link: string): LinkResult | undefined {
    const result = this.results.get(requestedUrl(link));
    return result && { ...result, url: link };
  }

  private start(visit: Visit): void {
    const url = requestedUrl(visit.url);
    if (this.visited.has(url)) return;
    this.visited.add(url);
    this.open++;
    this.serve({ ...visit, url }).then(() => this.close(), this.end.reject);
  }

  private close(): void {
    if (--this.open === 0) this.end.resolve();
  }

  private async serve(visit: Visit): Promise<void> {
    const { gate, rule, delayMs, onAnswer } = this.options;
    const response = await gate.fetch({
      id: digest("check-links", visit.url),
      kind: "page",
      url: visit.url,
      throttleMs: delayMs,
      bodyPolicy: this.bodyPolicyOf(visit),
    });
    const judgement = judgeLink(await loadChain(response, gate), rule);
    const elapsedMs = response.outcome.type === "answered" ? response.outcome.elapsedMs : 0;
    this.results.set(visit.url, { ...judgement, elapsedMs });
    if (judgement.verdict === "alive") await this.read(visit, response);
    if ("bodyKey" in response.outcome && response.outcome.bodyKey !== undefined) {
      gate.discard(response.outcome.bodyKey);
    }
    onAnswer(this.results.size);
  }

  /**
   * Decides whether a body is kept. An XPath in the rule and the fragment check also need pages whose links
   * are not followed.
   */
  private bodyPolicyOf({ role, depth }: Visit): "keep" | "markup" | "discard" {
    const { rule, fragments, depth: maxDepth } = this.options;
    if (role === "document") return "keep";
    const isRead = role === "page" && depth <= maxDepth;
    return isRead || rule.xpath !== undefined || fragments !== undefined ? "markup" : "discard";
  }

  private async read(visit: Visit, { outcome }: InboundResponse): Promise<void> {
    const { gate, fragments, depth } = this.options;
    if (!isUsableAnswer(outcome) || outcome.bodyKey === undefined) return;
    const body = await gate.load(outcome.bodyKey);
    const contentType = outcome.headers["content-type"];
    const page = { url: outcome.url, body, contentType };
    if (visit.role === "document" && detectLinkFormat(body, new URL(outcome.url).pathname) === "sitemap") {
      this.readSitemap(visit, page);
    } else if (markupOf(contentType) !== undefined) {
      fragments?.addPage(outcome.url, page);
      const isWithin = visit.role !== "resource" && visit.depth <= depth && this.isOfSite(outcome.url);
      if (isWithin) this.readPage(visit, page);
    }
  }

  private readSitemap({ depth }: Visit, page: { url: string; body: Uint8Array }): void {
    const reading = readSitemapLinks(page.body);
    if (reading.type === "unreadable") return;
    for (const { url, isSitemap, ...place } of reading.links) {
      const found = { file: page.url, ...place };
      if (!isSitemap) this.found(url, found, { role: "page", depth: depth + 1 });
      else {
        this.options.links.add(url, found);
        this.start({ url, role: "document", depth });
      }
    }
  }

  private readPage(
    { depth }: Visit,
    { url, body, contentType }: { url: string; body: Uint8Array; contentType: string | undefined },
  ): void {
    const reading = readHtmlLinks(body, { base: url, contentType });
    if (reading.type === "unreadable") return;
    const pages = pagesLinkedFrom(body, url, contentType);
    for (const { url: link, ...place } of reading.links) {
      const role = pages.has(link.split("#", 1)[0] as string) ? "page" : "resource";
      this.found(link, { file: url, ...place }, { role, depth: depth + 1 });
    }
  }

  private found(
    link: string,
    place: { file: string; line: number; column: number },
    as: Pick<Visit, "role" | "depth">,
  ): void {
    const { links, isWanted } = this.options;
    if (!isWanted(link)) return;
    links.add(link, place);
    if (this.isOfSite(link)) this.start({ url: link, ...as });
  }

  private isOfSite(link: string): boolean {
    const url = URL.parse(link);
    return url !== null && /^https?:$/.test(url.protocol) && this.sites.has(siteOf(url));
  }
}
