import type { LinkResult } from "../../../../shared/links/check/check-links.ts";
import { FragmentTargets, fragmentOf } from "../../../../shared/links/page/fragments.ts";
import { markupOf } from "../../../../shared/web/encoding/markup.ts";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import type { ExchangeRequest, HttpClient } from "../../../../shared/web/exchange/http-client.ts";
import { isRedirect } from "../../../../shared/web/exchange/redirect-status.ts";
import { requestedUrl } from "./requested-url.ts";

/**
 * Checks whether pages have the elements that the fragments of links name.
 * It wraps the HTTP client of the checker, reads the pages that links with fragments lead to, and keeps only
 * the ids and names on these pages.
 */
export class FragmentCheck {
  /** The URLs, without fragment, of pages whose names are needed. Includes the targets of redirects. */
  private readonly wanted = new Set<string>();
  private readonly targets = new Map<string, FragmentTargets>();

  constructor(links: Iterable<string>) {
    for (const link of links) this.expect(link);
  }

  /** Registers a link: its page will be read when it is requested. */
  expect(link: string): void {
    if (fragmentOf(link) !== undefined) this.wanted.add(requestedUrl(link));
  }

  /** Returns whether the page of a URL must be read. */
  wants(url: string): boolean {
    return this.wanted.has(requestedUrl(url));
  }

  /** Keeps the ids and names of a page that was already read for another purpose. */
  addPage(url: string, page: { body: Uint8Array; contentType: string | undefined }): void {
    this.targets.set(requestedUrl(url), FragmentTargets.of(page.body, page.contentType));
  }

  /** Returns a client that also reads the pages of links with fragments. */
  around(exchange: HttpClient["exchange"]): HttpClient["exchange"] {
    return async (request) => {
      if (!this.wants(request.url)) return exchange(request);
      const outcome = await exchange({ ...request, bodyMode: keepingPages(request.bodyMode) });
      this.keep(request.url, outcome);
      return outcome;
    };
  }

  /** Turns an alive link into a broken one if its page lacks the element that the fragment names. */
  judge(result: LinkResult): LinkResult {
    const last = result.hops.at(-1);
    if (result.verdict !== "alive" || last === undefined || last.status !== 200) return result;
    // A redirect's own fragment replaces the fragment of the link.
    const fragment = fragmentOf(last.url) ?? fragmentOf(result.url);
    const page = this.targets.get(requestedUrl(last.url));
    if (fragment === undefined || page === undefined || page.has(fragment)) return result;
    return {
      ...result,
      verdict: "broken",
      reason: `the page has no element with the id or name "${fragment}"`,
    };
  }

  private keep(url: string, outcome: ExchangeOutcome): void {
    if (outcome.type !== "answered") return;
    const { status, headers, body, bodyProblem } = outcome;
    if (isRedirect(status)) {
      const next = URL.parse(headers.location?.split("\n", 1)[0] ?? "", url);
      if (next !== null) this.wanted.add(requestedUrl(next.href));
    } else if (status === 200 && bodyProblem === undefined && isHtml(headers)) {
      this.addPage(url, { body, contentType: headers["content-type"] });
    }
  }
}

function keepingPages(mode: ExchangeRequest["bodyMode"] = "keep"): NonNullable<ExchangeRequest["bodyMode"]> {
  return (head) => {
    if (head.status === 200 && isHtml(head.headers)) return "keep";
    return typeof mode === "function" ? mode(head) : mode;
  };
}

/**
 * Returns whether a document is HTML. Other documents, such as PDF and images, interpret fragments
 * differently.
 */
function isHtml(headers: Record<string, string>): boolean {
  return markupOf(headers["content-type"]) === "html" || /xhtml/i.test(headers["content-type"] ?? "");
}
