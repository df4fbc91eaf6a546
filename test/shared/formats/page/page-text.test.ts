import { describe, expect, it } from "vitest";
import { readPageText } from "../../../../shared/formats/page/page-text.ts";

const read = (page: string, contentType = "text/html") =>
  readPageText(new TextEncoder().encode(page), { contentType });
const texts = (page: string) => read(page)?.blocks.map(({ kind, text }) => `${kind}: ${text}`);

describe("readPageText", () => {
  it.each([
    ["headings and paragraphs", "<h1>On  bees</h1><p>A <b>b</b>c</p>", ["heading: On bees", "text: A bc"]],
    ["paragraphs that are not closed", "<p>One<p>Two", ["text: One", "text: Two"]],
    ["entities", "<p>R&amp;D &lt;b&gt;", ["text: R&D <b>"]],
    [
      "navigation, header, footer, form",
      "<nav>N</nav><header>H</header><p>P</p><form>F</form><footer>F</footer>",
      ["text: P"],
    ],
    ["a main part → it alone", "<p>Before</p><main><p>In</p></main><p>After</p>", ["text: In"]],
    ["a head that is not closed", "<head><title>T</title><body><p>P", ["text: P"]],
    ["mis-nested tags", "<nav><p>N</nav></p><div>D</nav></div>", ["text: D"]],
    [
      "scripts, styles, templates, images and frames → nothing of them",
      `<script>alert(1)</script><style>p{}</style><template><p>t</template><svg><text>s</text></svg>
       <img src=x onerror=alert(1) alt=a><iframe src="https://evil.example/">f</iframe><p onclick="alert(1)">P</p>`,
      ["text: P"],
    ],
    [
      "tags that entities hide → text",
      "<p>&lt;script&gt;alert(1)&lt;/script&gt;",
      ["text: <script>alert(1)</script>"],
    ],
  ])("%s", (_title, page, expected) => expect(texts(page)).toEqual(expected));

  it("metadata of works → in page order; that of the site is left out", () => {
    const page = `<meta name="viewport" content="v"><meta name="citation_title" content="On  bees">
      <meta property="og:title" content="Bees"><meta property="og:image" content="https://x.example/i">
      <script type="application/ld+json">{"@type": "Article"}</script><meta name="DC.Creator" content="A. B.">`;
    expect(read(page)?.metadata).toEqual([
      { name: "citation_title", content: "On bees" },
      { name: "og:title", content: "Bees" },
      { name: "json-ld", content: '{"@type": "Article"}' },
      { name: "dc.creator", content: "A. B." },
    ]);
  });

  it.each([
    ["no bytes", "", "text/html"],
    ["a PDF", "%PDF-1.7", "application/pdf"],
    ["a page without text", "<div></div>", "text/html"],
  ])("%s → nothing to show", (_title, page, type) => expect(read(page, type)).toBeUndefined());

  it("a page of megabytes → about 8,000 characters, and it says so", () => {
    for (const page of [`<p>${"word ".repeat(400_000)}`, "<p>word</p>".repeat(200_000)]) {
      const { blocks, isShortened } = read(page) ?? { blocks: [] };
      const length = blocks.reduce((sum, { text }) => sum + text.length, 0);
      expect(length).toBeGreaterThan(7_900);
      expect(length).toBeLessThan(8_100);
      expect(isShortened).toBe(true);
    }
    const many = read('<meta name="citation_author" content="A">'.repeat(500));
    expect([many?.metadata.length, many?.isShortened]).toEqual([60, true]);
  });
});
