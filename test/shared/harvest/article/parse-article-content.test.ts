import { expect, test } from "vitest";
import { parseArticleContent } from "../../../../shared/harvest/article/parse-article-content.ts";
import { entryFromUrl } from "../../../../shared/harvest/listing/article-requests.ts";
import { outboundRequest } from "../../../../shared/web/request/request.ts";
import type { InboundResponse, ResponseOutcome } from "../../../../shared/web/request/response.ts";

const url = "https://journal.example/1";
const complete =
  '<title>A</title><meta name="citation_title" content="On Wells"><meta name="citation_author" content="Pell, Ottoline"><meta name="citation_date" content="2026"><meta name="citation_issue" content="3">';

type Hops = Extract<ResponseOutcome, { type: "answered" }>["hops"];

function answerOf(page: string, hops: Hops = []) {
  const response: InboundResponse = {
    request: outboundRequest.parse({ id: "a", kind: "article", url }),
    outcome: {
      type: "answered",
      status: 200,
      url,
      hops,
      headers: { "content-type": "text/html; charset=utf-8" },
      bodyKey: "page",
      elapsedMs: 1,
    },
  };
  const load = async () => Buffer.from(page, "latin1");
  return parseArticleContent(
    response,
    { entry: entryFromUrl(url) },
    {
      bodies: { load },
      recipes: { list: async () => [] },
    },
  );
}

test.each<[string, string, string[]]>([
  ["a flawless page → no warning", complete, []],
  [
    "JSON-LD that is not valid JSON, and bytes that are not of the encoding → a warning each",
    `${complete}<script type="application/ld+json">{"@type": </script><p>\xff`,
    [expect.stringMatching(/^page: json-ld: /) as string, "page: unreadable characters in utf-8"],
  ],
])("%s", async (_title, page, warnings) => {
  expect(await answerOf(page)).toMatchObject({ type: "items", warnings });
});

test("an answer that breaks the rules of HTTP → a warning, once for the chain", async () => {
  const warning = "not valid HTTP, read as browsers do: lines end with LF";
  const hops = [
    { url: "https://journal.example/", status: 302, warning },
    { url, status: 200, warning },
  ];
  expect(await answerOf(complete, hops)).toMatchObject({ type: "items", warnings: [warning] });
});
