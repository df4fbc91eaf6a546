import { describe, expect, it } from "vitest";
import { InputError } from "../../../../../shared/core/errors.ts";
import { readPageItem } from "../../../../../shared/formats/page/read-page.ts";
import { parseRecipe } from "../../../../../shared/formats/page/recipes/parse-recipe.ts";

const url = "https://www.bees.example/1";

/** The reading of a page with recipes of operators, each with the fields that are given as TOML. */
function readWith(recipes: Record<string, string>, markup: string) {
  const page = `<!doctype html><title>On Bees</title>${markup}`;
  const own = Object.entries(recipes).map(([id, toml]) => ({ id, recipe: parseRecipe(toml) }));
  const reading = readPageItem(new TextEncoder().encode(page), { url, recipes: own });
  if (reading.type !== "item") throw new Error(reading.detail);
  return reading;
}

const recipe = (fields: string, more = "") =>
  `name = "Bees"\nhosts = ["bees.example"]\n${more}\n[fields]\n${fields}`;

describe("readers", () => {
  it.each([
    ["css", 'volume = { css = ".v" }', "<p class=V>12</p>", { volume: "12" }],
    ["an attribute", 'volume = { css = "p", attribute = "data-v" }', "<p data-v=12>", { volume: "12" }],
    [
      "xpath",
      "volume = { xpath = \"//b[.='Vol']/following-sibling::i\" }",
      "<p><b>Vol</b><i>12</i>",
      { volume: "12" },
    ],
    ["xpath, a text", "volume = { xpath = \"substring-after(//p, 'v')\" }", "<p>v12", { volume: "12" }],
    ["meta", 'volume = { meta = "V" }', "<meta name=v content=12>", { volume: "12" }],
    [
      "jsonld by type",
      'volume = { jsonld = "Book.isPartOf.volumeNumber" }',
      '<script type=application/ld+json>[{"@type":"WebSite","isPartOf":{"volumeNumber":"9"}},{"@type":"Book","isPartOf":{"@id":"#v"}},{"@id":"#v","volumeNumber":"12"}]</script>',
      { volume: "12" },
    ],
    [
      "json at any depth",
      'creators = { json = "..author", given = "first", family = "last", orcid = "id" }',
      '<script type=application/json>{"a":{"author":[{"first":"Ada","last":"Pell","id":"0000-0002-1825-0097"}]}}</script>',
      {
        creators: [{ creatorType: "author", firstName: "Ada", lastName: "Pell" }],
        notes: [{ note: "orcid:0000-0002-1825-0097 | Ada Pell" }],
      },
    ],
    ["a label", 'volume = { label = "Sayı" }', "<b>Sayı:</b> 12", { volume: "12" }],
    ["a constant", 'journal = { value = "Bees" }', "", { publicationTitle: "Bees" }],
    [
      "without parts",
      'title = { css = "h1", without = "sup" }',
      "<h1>Bees<sup>1</sup></h1>",
      { title: "Bees" },
    ],
    [
      "the last of a range",
      'pages = { css = ".a", last = ".b" }',
      "<i class=a>1</i><i class=b>20</i>",
      { pages: "1-20" },
    ],
    [
      "the longest",
      'abstract = { css = "p", longest = true }',
      "<p>One</p><p>Bees dance in the dark.</p>",
      { abstractNote: "Bees dance in the dark." },
    ],
    ["alternatives", 'volume = [{ css = ".no" }, { css = ".v" }]', "<p class=v>12", { volume: "12" }],
    ["a group", "volume = { css = 'p', regex = 'Vol (\\d+)|Bd (\\d+)' }", "<p>Bd 12</p>", { volume: "12" }],
    [
      "a year",
      "licence = [{ value = 'A', before = 2016 }, { value = 'B', since = 2016 }]\nyear = { css = 'p' }",
      "<p>2016</p>",
      { rights: "B", date: "2016" },
    ],
    [
      "a citation",
      "citation = { css = 'p', regex = '(?P<volume>\\d+), (?P<issue>\\d+)' }",
      "<p>none</p><p>12, 3</p>",
      { volume: "12", issue: "3" },
    ],
    [
      "a statement",
      'citation = { css = "p", statement = true }',
      "<p>Jg. 12 Heft 3 (2014)</p>",
      { volume: "12", issue: "3", date: "2014" },
    ],
    [
      "a field beside a citation",
      "volume = { css = 'b' }\ncitation = { css = 'p', statement = true }",
      "<b>7</b><p>Vol. 12 No. 3</p>",
      { volume: "7", issue: "3" },
    ],
  ])("%s", (_what, fields, markup, expected) => {
    expect(readWith({ bees: recipe(fields) }, markup).item).toMatchObject(expected);
  });

  it("a recipe that needs a volume, a page without it → only the abstract", () => {
    const fields = 'volume = { css = ".v" }\njournal = { value = "Bees" }\nabstract = { css = ".a" }';
    const { item } = readWith({ bees: recipe(fields, 'needs = ["volume"]') }, "<p class=a>Bees dance.</p>");
    expect(item).toMatchObject({ abstractNote: "Bees dance." });
    expect(item).not.toHaveProperty("publicationTitle");
  });
});

describe("which recipe counts", () => {
  const meta = "<meta name=citation_title content=Bees><meta name=citation_volume content=3>";
  const page = `${meta}<p class=v>12</p><p class=i>4</p>`;

  it("a volume in the meta tags → the recipe's is not used, unless it overrides it; the replaced one is kept", () => {
    const fields = 'volume = { css = ".v" }\nissue = { css = ".i" }';
    const filling = readWith({ bees: recipe(fields) }, page);
    expect(filling.item).toMatchObject({ volume: "3", issue: "4" });
    expect(filling.recipes).toEqual({ issue: { id: "bees" } });
    const overriding = readWith({ bees: recipe(fields, 'overrides = ["volume"]') }, page);
    expect(overriding.item).toMatchObject({ volume: "12", issue: "4" });
    expect(overriding.recipes).toEqual({ volume: { id: "bees", without: "3" }, issue: { id: "bees" } });
  });

  it("another host → not used; a host below, a canonical link or a meta tag → used", () => {
    const other = (more: string) =>
      recipe('issue = { css = ".i" }').replace('hosts = ["bees.example"]', more);
    expect(readWith({ bees: other('hosts = ["ees.example"]') }, page).item).not.toHaveProperty("issue");
    expect(
      readWith({ bees: other('hosts = ["example"]'.replace("example", "www.bees.example")) }, page).item
        .issue,
    ).toBe("4");
    const canonical = `<link rel=canonical href=https://wasps.example/1>${page}`;
    expect(readWith({ bees: other('hosts = ["wasps.example"]') }, canonical).item.issue).toBe("4");
    expect(
      readWith({ bees: other('signature = [{ meta = "citation_volume", regex = "^3$" }]') }, page).item.issue,
    ).toBe("4");
    expect(
      readWith({ bees: other('signature = [{ meta = "citation_volume", regex = "^4$" }]') }, page).item,
    ).not.toHaveProperty("issue");
  });

  it("recipes of operators → before the built-in one, which fills the gaps; with its id, instead of it", () => {
    const acs =
      "<link rel=canonical href=https://pubs.acs.org/1><p class=cit-volume>18</p><p class=cit-issue>1</p><p class=i>4</p>";
    const own = 'name = "x"\nhosts = ["acs.org"]\n[fields]\nissue = { css = ".i" }';
    const both = readWith({ x: own }, acs);
    expect(both.item).toMatchObject({ volume: "18", issue: "4" });
    expect(both.recipes).toMatchObject({ volume: { id: "acs" }, issue: { id: "x" } });
    expect(readWith({ acs: own }, acs).item).not.toHaveProperty("volume");
  });
});

describe("parseRecipe", () => {
  it.each([
    ["name =", "bees.toml: line 1, column 7"],
    ['name = "x"\n[fields]\nvolume = { css = "p" }', "bees.toml: hosts: is missing"],
    ['name = "x"\nhosts = ["b.example"]\n[fields]', "bees.toml: fields: must have a field"],
    [recipe("volum = { css = 'p' }"), "bees.toml: fields.volum: is unknown here"],
    [
      recipe("volume = { css = 'p:hover' }"),
      'bees.toml: fields.volume.0.css: ":hover" is not supported at position 2; use xpath (got "p:hover")',
    ],
    [recipe("volume = [{ css = 'p' }, { xpath = '//p[' }]"), "bees.toml: fields.volume.1.xpath: "],
    [
      recipe("volume = { css = 'p', regex = '(?=a)' }"),
      "bees.toml: fields.volume.0.regex: failed to compile pattern",
    ],
    [
      recipe("volume = { css = 'p', regex = '((a{100}){100}){100}' }"),
      "bees.toml: fields.volume.0.regex: failed to compile pattern",
    ],
    [
      recipe("volume = { jsonld = 'a..' }"),
      'bees.toml: fields.volume.0.jsonld: ".." is not a step of a path, at position 2',
    ],
    [
      recipe("volume = { css = 'p', meta = 'x' }"),
      "bees.toml: fields.volume.0: must have exactly one of css, xpath, meta, jsonld, json, label, value",
    ],
    [
      recipe("volume = { meta = 'x', attribute = 'y' }"),
      "bees.toml: fields.volume.0.attribute: can only be used with css",
    ],
    [recipe("pages = { css = '.a', last = ':b' }"), "bees.toml: fields.pages.0.last: "],
    [recipe("creators = { json = 'a', given = 'b' }"), "bees.toml: fields.creators.0.family: is missing"],
    [
      recipe("citation = { css = 'p', regex = '(\\d+)' }"),
      "bees.toml: fields.citation.0.regex: must have named groups",
    ],
    [
      recipe("citation = { css = 'p', regex = '(?P<vol>\\d+)' }"),
      "bees.toml: fields.citation.0.regex: must have named groups",
    ],
    [
      recipe("type = { value = 'poem' }"),
      "bees.toml: fields.type.0.value: must be an item type: journalArticle",
    ],
    [
      recipe("volume = { css = 'p' }").replace("bees.example", "https://bees.example"),
      "bees.toml: hosts.0: must be a host in lower case",
    ],
    [`# ${"x".repeat(20_000)}`, "bees.toml: must have at most 20000"],
  ])("%s → refused: %s", (toml, message) => {
    const parse = () => parseRecipe(toml, "bees.toml");
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(message);
  });
});
