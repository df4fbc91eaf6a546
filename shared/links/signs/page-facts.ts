import { isUtf8 } from "node:buffer";
import { markupOf } from "../../web/encoding/markup.ts";
import type { Hop } from "../../web/exchange/exchange.ts";

/** The beginning of a page in which signs are looked for. */
export const readBytes = 16 * 1024;

/** A page of fewer bytes is short. Walls are short, and most pages of articles are not. */
const shortBytes = 10 * 1024;

/** A page with less text says little else than that it is gone. */
const littleText = 1500;

const refreshTarget = /;\s*url\s*=\s*["']?([^"'>\s]+)/i;

/** A response, and the beginning of its body. */
export interface SignedResponse {
  hops: readonly Pick<Hop, "url" | "status">[];
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** The facts about a page that signs refer to. Each is computed when the first sign asks for it. */
export class PageFacts {
  readonly headers: Readonly<Record<string, string>>;
  readonly firstUrl: string;
  readonly lastUrl: string;
  private readonly source: string;
  private readonly known = new Map<string, unknown>();

  constructor({ hops, headers, body }: SignedResponse) {
    this.headers = headers;
    this.firstUrl = hops[0]?.url ?? "";
    this.lastUrl = hops.at(-1)?.url ?? "";
    const isMarkup = markupOf(headers["content-type"]) !== undefined;
    const start = body.subarray(0, readBytes);
    // One character per byte, which takes a fraction of the time of a decoder.
    this.source = isMarkup
      ? Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString("latin1")
      : "";
  }

  /** The titles in lower case: as it is, and each of its parts without the name of the site. */
  get titles(): string[] {
    return this.once("titles", () => partsOf(this.elementText("title")));
  }

  /** The first heading in lower case. */
  get heading(): string {
    return this.once("heading", () => this.elementText("h1").toLowerCase());
  }

  /** The markup of a short page; empty for a long one. */
  get markup(): string {
    return this.source.length < shortBytes ? this.source : "";
  }

  /** The text in lower case of a page with little text; empty for all others. */
  get text(): string {
    return this.once("text", () => {
      if (this.source.length >= readBytes) return "";
      const text = textOf(this.source);
      return text.length > littleText ? "" : text.toLowerCase();
    });
  }

  /** The address to which the page itself redirects: by a header, a meta element or a script. */
  get refresh(): string {
    return this.once("refresh", () => {
      const head = this.source.slice(0, 4096);
      const metas = head.match(/<meta\b[^>]{0,500}>/gi) ?? [];
      const meta = metas.find((each) => /http-equiv\s*=\s*["']?refresh/i.test(each)) ?? "";
      const [, given = ""] =
        refreshTarget.exec(this.headers.refresh ?? "") ??
        refreshTarget.exec(meta) ??
        (this.source.length < 4096
          ? /\blocation(?:\.href)?\s*(?:=|\.(?:replace|assign)\s*\()\s*["']([^"']+)/.exec(head)
          : null) ??
        [];
      return given === "" ? "" : (URL.parse(given, this.lastUrl)?.href ?? "");
    });
  }

  /** Whether the page has the metadata of a work, as pages of articles and items have, and error pages have not. */
  get describesWork(): boolean {
    return this.once("describesWork", () =>
      /<meta\b[^>]{0,100}?\bname\s*=\s*["']?(?:citation_(?:title|author|doi)|dc\.(?:title|creator|identifier)|dcterms\.title|prism\.)|"@type"\s*:\s*"(?:Scholarly|News|Blog)?(?:Article|Posting|Book|Dataset|CreativeWork)"/i.test(
        this.source,
      ),
    );
  }

  /** The beginning of the text of the page, for people. */
  get excerpt(): string {
    return [this.elementText("title"), textOf(this.source.replace(/<title[\s\S]*?(?:<\/title\s*>|$)/i, " "))]
      .filter((text) => text !== "")
      .join(" – ")
      .slice(0, 300)
      .toWellFormed();
  }

  private elementText(name: "title" | "h1"): string {
    const seen = this.once("seen", () => this.source.replace(unseen, " "));
    const from = seen.search(name === "title" ? /<title[\s>]/i : /<h1[\s>]/i);
    if (from === -1) return "";
    const [, inner = ""] =
      /^<\w+[^>]*>([\s\S]{0,1000}?)<\/(?:title|h1)/i.exec(seen.slice(from, from + 1500)) ?? [];
    return textOf(inner);
  }

  private once<Value>(name: string, compute: () => Value): Value {
    if (!this.known.has(name)) this.known.set(name, compute());
    return this.known.get(name) as Value;
  }
}

/** Returns a title in lower case, and its parts: sites add their name before or after a separator. */
function partsOf(title: string): string[] {
  const text = title.toLowerCase();
  const parts = text.split(/\s+[-–—|·•»«/]+\s+|\s*[|»«•]\s*/).map((part) => part.trim());
  return [...new Set([text, ...parts])].filter((part) => part !== "");
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  rsquo: "’",
};

/** Comments, and elements that a browser does not show. */
const unseen = /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** Returns the text of markup in one line. */
function textOf(markup: string): string {
  const bare = markup.replace(unseen, " ").replace(/<[^>]{0,1000}>/g, " ");
  const bytes = Buffer.from(bare, "latin1");
  return (isUtf8(bytes) ? bytes.toString("utf8") : bare)
    .replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w{2,8}));/gi, (all, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? all;
      return String.fromCodePoint(decimal !== undefined ? Number(decimal) : Number.parseInt(String(hex), 16));
    })
    .replace(/\s+/g, " ")
    .trim();
}
