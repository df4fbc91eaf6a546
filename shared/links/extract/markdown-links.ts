import { fromMarkdown, type Extension as TreeExtension } from "mdast-util-from-markdown";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import { LinkGatherer, type LinkReaderOptions, type LinkReading } from "./found-link.ts";
import { gatherHtmlLinks } from "./html-links.ts";
import { LineIndex } from "./line-index.ts";
import { decodeLinkText } from "./link-text.ts";

/**
 * The maximum size of a document. Lists with one item per line take 10 s per megabyte, so larger documents are refused.
 */
const maxBytes = 2 * 1024 * 1024;

/**
 * The limit on comparisons. The parser compares each bracket of a paragraph with all others, so 10,000 brackets in one
 * paragraph take a second.
 */
const maxComparisons = 100_000_000;

/**
 * Matches nesting of 100 levels or more. Only machines write such nesting, and each level costs time for every line.
 */
const tooNested = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){100}/m;

interface MarkdownNode {
  type: string;
  url?: string;
  value?: string;
  position?: { start: { line: number; column: number; offset?: number } };
  children?: MarkdownNode[];
}

/** Turns bare addresses in the text into links, as GitHub does. */
const bareAddresses: TreeExtension = {
  enter: {
    literalAutolink(token) {
      this.enter({ type: "link", title: null, url: "", children: [] }, token);
    },
    literalAutolinkHttp(token) {
      this.config.enter.autolinkProtocol?.call(this, token);
    },
  },
  exit: {
    literalAutolink(token) {
      this.exit(token);
    },
    literalAutolinkHttp(token) {
      this.config.exit.autolinkProtocol?.call(this, token);
    },
  },
};

/**
 * Reads the links of a Markdown document: links, images, definitions, bare addresses, and the links of embedded HTML.
 * Code is skipped.
 * @see https://spec.commonmark.org/
 */
export function readMarkdownLinks(bytes: Uint8Array, { base }: LinkReaderOptions): LinkReading {
  if (bytes.byteLength > maxBytes) return unreadable(`has more than ${maxBytes} bytes`);
  const decoded = decodeLinkText(bytes);
  if (decoded.type === "unreadable") return decoded;
  const { text } = decoded;
  if (tooNested.test(text)) return unreadable("has more than 100 quotes or lists within each other");
  if (comparisonsIn(text) > maxComparisons) return unreadable("has too many brackets in one paragraph");
  const lines = new LineIndex(text);
  const links = new LinkGatherer();
  const waiting: MarkdownNode[] = [parse(text)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const start = node.position?.start;
    const offset = start?.offset ?? 0;
    if (node.type === "html") {
      gatherHtmlLinks(node.value ?? "", links, { base, locate: (at) => lines.placeOf(offset + at) });
    } else if (node.url !== undefined && start !== undefined) {
      links.add(node.url, { line: start.line, column: start.column }, base);
    }
    for (const child of node.children?.toReversed() ?? []) waiting.push(child);
  }
  return links.finish();
}

/**
 * Estimates the number of comparisons that the parser makes. An underline counts as four brackets, because it may turn
 * all lines before it into a heading.
 */
function comparisonsIn(text: string): number {
  let comparisons = 0;
  for (const paragraph of text.split(/\n(?=[ \t]*(?:\r?\n|[-*+>#]|\d+[.)]))/)) {
    const brackets = paragraph.match(/\[/g)?.length ?? 0;
    const underlines = paragraph.match(/^[ \t]*[=-]+[ \t]*\r?$/gm)?.length ?? 0;
    comparisons += (brackets + 4 * underlines) ** 2;
  }
  return comparisons;
}

/** Parses without emphasis, because emphasis contains no address and its rules take quadratic time. */
function parse(text: string): MarkdownNode {
  return fromMarkdown(text, {
    extensions: [gfmAutolinkLiteral(), { disable: { null: ["attention"] } }],
    mdastExtensions: [bareAddresses],
  }) as MarkdownNode;
}

function unreadable(detail: string): LinkReading {
  return { type: "unreadable", detail };
}
