import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../../local/cloud/seeded-random.ts";
import { InputError } from "../../../../../shared/core/errors.ts";
import { readPageItem } from "../../../../../shared/formats/page/read-page.ts";
import { parseRecipe } from "../../../../../shared/formats/page/recipes/parse-recipe.ts";
import {
  type NamedRecipe,
  readerKinds,
  recipeFields,
} from "../../../../../shared/formats/page/recipes/recipe.ts";
import { cpuMsOf } from "../../../../cpu-time.ts";

/** Far above what any recipe takes on any of these pages. */
const maxCpuMs = 5_000;

function read(recipes: readonly NamedRecipe[], page: string) {
  const reading = readPageItem(new TextEncoder().encode(page), { url: "https://hostile.example/", recipes });
  return reading.type === "item" ? reading : undefined;
}

const parse = (field: string): NamedRecipe[] => [
  { id: "hostile", recipe: parseRecipe(`name = "x"\nhosts = ["*"]\n[fields]\n${field}`) },
];

const nested = `<title>T</title>${"<div>".repeat(400)}${"<p class=a>bees <i>x</i>".repeat(20_000)}`;
const text = `<title>T</title><p>${"a".repeat(1_000_000)}</p>`;
const many = `<title>T</title>${`<p>${"a".repeat(40_000)}</p>`.repeat(100)}`;
const json = `<title>T</title><script type=application/json>${'{"a":[{"b":'.repeat(5_000)}1${"}]}".repeat(5_000)}</script>`;

const signs = `<title>T</title>${`<p class=a>a${",".repeat(49_000)}b</p>`.repeat(100)}`;

const references = `<title>T</title><script type=application/ld+json>${JSON.stringify({
  "@graph": [
    { "@id": "n", isPartOf: Array(20_000).fill({ "@id": "n" }) },
    { "@type": "ScholarlyArticle", isPartOf: Array(20_000).fill({ "@id": "n" }) },
  ],
})}</script>`;

const list = `<title>T</title><script type=application/json>{"a":[${"1,".repeat(2_000_000)}1]}</script>`;

describe("hostile recipes", () => {
  it.each([
    ["a pattern that would backtrack", "volume = { css = 'p', regex = '(a*)*(a*)*b' }", text],
    ["a large pattern on many texts", "keywords = { css = 'p', regex = '(?:a?){300}b' }", many],
    ["a citation in many texts", "citation = { css = 'p', regex = '(?P<volume>(a?){300}b)' }", many],
    ["selectors of everything", "keywords = { css = '* * * * * * * * * *' }", nested],
    ["siblings of everything", "keywords = { css = '* ~ * + * ~ *, * > * ~ *' }", nested],
    ["substrings of everything", 'keywords = { css = \'[class*="a"] [class*="b"]\' }', nested],
    ["nested predicates", 'keywords = { xpath = "//*[.//*[.//*[.//*]]]" }', nested],
    ["a union of texts", 'keywords = { xpath = "//text()|//*|//@*" }', nested],
    ["a deep path", "keywords = { json = '..a..b..a..b..a..b' }", json],
    ["rows of signs in a value", "creators = { css = '.a' }", signs],
    [
      "references to references",
      "volume = { jsonld = 'ScholarlyArticle.isPartOf.isPartOf.volumeNumber' }",
      references,
    ],
    ["a long list", "keywords = { json = '..a' }", list],
    [
      "a label",
      "volume = { label = '(?:a?){300}' }",
      `<title>T</title>${"<b>aaaa:</b> 1<br>".repeat(20_000)}`,
    ],
  ])("%s → read, or given up with a word, in bounded time", (_what, field, page) => {
    const recipes = parse(field);
    let problems: string[] | undefined;
    const cpuMs = cpuMsOf(() => {
      problems = read(recipes, page)?.problems;
    });
    expect(cpuMs).toBeLessThan(maxCpuMs);
    expect(problems?.filter((problem) => !/^(?:recipe hostile: |json-ld|more )/.test(problem))).toEqual([]);
  });

  it("3,000 random recipes on random pages → never an error other than that of the recipe", () => {
    const random = seededRandom(28);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const pieces =
      "p . # [ ] ( ) * > + ~ , : :not( a=b '//p' // @ text() $ .. author | ^ \\d+ (?P<volume> {3} \" ' \u0000 ü 12 Vol".split(
        " ",
      );
    const words = () =>
      Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(pieces)).join(pick(["", " "]));
    const tags = [
      "<p class=a>",
      "</p>",
      "<b>Volume:</b> 12 ",
      "<script type=application/json>",
      '{"a":[1',
      "</script>",
      "<svg>",
      "<template>",
      "<!--",
      "-->",
      "<table><td>",
      "&amp;&#0;",
      "12(3)",
      "\u0000",
      '<meta name=a content="b">',
      "<h1>",
    ];
    let tried = 0;
    for (let run = 0; run < 3000; run++) {
      const reader = {
        [pick(readerKinds)]: words(),
        ...(random() < 0.5 && { [pick(["attribute", "without", "last", "regex", "given", "as"])]: words() }),
        ...(random() < 0.3 && { [pick(["longest", "statement"])]: true }),
      };
      const fields = Object.fromEntries([
        [pick(recipeFields), reader],
        [pick(recipeFields), { css: "p" }],
      ]);
      const toml = ['name = "x"', 'hosts = ["*"]', "[fields]"]
        .concat(
          Object.entries(fields).map(
            ([field, each]) =>
              `${field} = { ${Object.entries(each)
                .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
                .join(", ")} }`,
          ),
        )
        .join("\n");
      const page = `<title>T</title>${Array.from({ length: Math.floor(random() * 20) }, () => pick(tags)).join("")}`;
      let recipes: NamedRecipe[];
      try {
        recipes = [{ id: "x", recipe: parseRecipe(toml) }];
      } catch (error) {
        expect(error, toml).toBeInstanceOf(InputError);
        continue;
      }
      expect(() => read(recipes, page), `${toml}\n${page}`).not.toThrow();
      tried++;
    }
    expect(tried).toBeGreaterThan(300);
  });
});
