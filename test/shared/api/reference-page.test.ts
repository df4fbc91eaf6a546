import { createHash } from "node:crypto";
import { parse } from "parse5";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../../shared/api/open-api.ts";
import { referencePage, referencePolicy } from "../../../shared/api/reference-page.ts";
import type { DescribedSubject } from "../../../shared/api/route.ts";
import { routes, subjects } from "../../../shared/operations/routes/routes.ts";

const page = await referencePage(openApiDocument(subjects));

const all = (pattern: RegExp, text = page) => [...text.matchAll(pattern)].map(([, found = ""]) => found);

describe("the reference of the API", () => {
  it("has a heading for each route, once", () => {
    const headings = all(/<h3 id="[\w.]+"><code>([^<]+)<\/code><\/h3>/g);
    expect(headings.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it("links to what it has, and to nothing elsewhere but what texts name", () => {
    const ids = all(/ id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = all(/ href="([^"]+)"/g);
    expect(targets.filter((to) => to.startsWith("#") && !ids.includes(to.slice(1)))).toEqual([]);
    expect(targets.filter((to) => !/^(#|https:\/\/|\/openapi\.json$)/.test(to))).toEqual([]);
    expect(all(/ href="#([A-Z]\w+)"/g).length).toBeGreaterThan(100);
  });

  it("loads nothing, and its policy allows its style alone", () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed)\b| (src|style|on\w+)="/);
    const [style = ""] = all(/<style>([\s\S]*?)<\/style>/g);
    expect(referencePolicy).toContain(`sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(referencePolicy).toContain("default-src 'none'");
  });

  it("is HTML without errors", () => {
    const errors: string[] = [];
    parse(page, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) });
    expect(errors).toEqual([]);
  });
});

it("a route → parameters with limits, role, body, example and answers; texts as text, not as markup", async () => {
  const subject: DescribedSubject = {
    title: "Shelf marks",
    introduction:
      "Of <b>books</b>: see [Marks](marks.md) and [MARC](https://www.loc.gov/marc/).\n\n- `a`\n- b",
    audience: "operator",
    routes: [
      {
        method: "PUT",
        path: "/marks/{id}",
        summary: "Writes a mark",
        role: "admin",
        params: z.strictObject({ id: z.string().max(9).describe("Of the mark") }),
        body: z.strictObject({ text: z.string().max(20) }),
        example: { text: "</pre>" },
        answers: {
          200: {
            description: "The mark",
            body: z.strictObject({ text: z.string() }).meta({ title: "Mark" }),
            headers: { ETag: "its revision" },
          },
        },
      },
    ],
  };
  const text = await referencePage(openApiDocument([subject]));
  for (const part of [
    '<h2 id="shelf-marks">Shelf marks</h2>',
    "Of &lt;b&gt;",
    'see Marks (docs/marks.md) and <a href="https://www.loc.gov/marc/">MARC</a>',
    "<li><p><code>a</code></p></li>",
    "Needs a token with the role admin.",
    "<td><code>id</code></td><td>path</td><td>string, at most 9 characters, required</td><td><p>Of the mark</p></td>",
    "text: string  // at most 20 characters",
    "&lt;/pre&gt;",
    "<strong>200</strong> The mark.",
    "Header <code>ETag</code>: its revision",
    '<pre><a href="#Mark">Mark</a></pre>',
    '<h3 id="Mark">Mark</h3><pre>{ text: string }</pre>',
    '<a href="#Status401">401</a>',
  ]) {
    expect(text).toContain(part);
  }
});
