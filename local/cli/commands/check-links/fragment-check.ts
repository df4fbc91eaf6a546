import type { LinkResult } from "../../../../shared/links/check/check-links.ts";
import { FragmentTargets, fragmentOf } from "../../../../shared/links/page/fragments.ts";
import { markupOf } from "../../../../shared/web/encoding/markup.ts";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import type { ExchangeRequest, HttpClient } from "../../../../shared/web/exchange/http-client.ts";
import { isRedirect } from "../../../../shared/web/exchange/redirect-status.ts";
import { requestedUrl } from "./requested-url.ts";

/**
 * Checks whether pages have what the fragments of links name. Between checker and client it reads the pages that such
 * links lead to, and keeps of them only the names that fragments may use.
 */
export class FragmentCheck {
  /** Pages whose names are wanted, also those that redirects lead to; URLs without fragment. */
  private readonly wanted = new Set<string>();
  private readonly targets = new Map<string, FragmentTargets>();

  constructor(links: Iterable<string>) {
    for (const link of links) this.expect(link);
  }

  /** Reads the page of a link when it is requested. */
  expect(link: string): void {
    if (fragmentOf(link) !== undefined) this.wanted.add(requestedUrl(link));
  }

  /** Whether the page of a URL is read. */
  wants(url: string): boolean {
    return this.wanted.has(requestedUrl(url));
  }

  /** Keeps the names of a page that was read anyway. */
  addPage(url: string, page: { body: Uint8Array; contentType: string | undefined }): void {
    this.targets.set(requestedUrl(url), FragmentTargets.of(page.body, page.contentType));
  }

  /** The client, which now reads the pages of links with fragments. */
  around(exchange: HttpClient["exchange"]): HttpClient["exchange"] {
    return async (request) => {
      if (!this.wants(request.url)) return exchange(request);
      const outcome = await exchange({ ...request, bodyMode: keepingPages(request.bodyMode) });
      this.keep(request.url, outcome);
      return outcome;
    };
  }

  /** A link that is alive is broken when its page lacks what its fragment names. */
  judge(result: LinkResult): LinkResult {
    const last = result.hops.at(-1);
    if (result.verdict !== "alive" || last === undefined || last.status !== 200) return result;
    // A fragment of the redirect replaces that of the link.
    const fragment = fragmentOf(last.url) ?? fragmentOf(result.url);
    const page = this.targets.get(requestedUrl(last.url));
    if (fragment === undefined || page === undefined || page.has(fragment)) return result;
    return { ...result, verdict: "broken", reason: `the page has nothing with the id or name "${fragment}"` };
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

/** Other documents (PDF, images) give fragments a meaning of their own. */
function isHtml(headers: Record<string, string>): boolean {
  return markupOf(headers["content-type"]) === "html" || /xhtml/i.test(headers["content-type"] ?? "");
}
