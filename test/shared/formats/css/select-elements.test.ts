import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import {
  type Compound,
  parseSelectors,
  type Selector,
} from "../../../../shared/formats/css/parse-selector.ts";
import { attributeOf, ElementIndex, selectElements } from "../../../../shared/formats/css/select-elements.ts";
import { CostBudget } from "../../../../shared/formats/tree/cost-budget.ts";
import { readHtml } from "../../../../shared/formats/tree/html.ts";
import { nodeKind, PageTooLarge, type PageTree } from "../../../../shared/formats/tree/page-tree.ts";

function select(selector: string, page: PageTree, limit = 10_000_000): number[] {
  return selectElements(parseSelectors(selector), new ElementIndex(page), new CostBudget(limit));
}

/** The ids of the elements that a selector selects. */
function idsOf(selector: string, html: string): string {
  const page = readHtml(html);
  return select(selector, page)
    .map((node) => attributeOf(page, node, "id") ?? "?")
    .join(" ");
}

const html = `<body id=body><div id=d1 class="Abstract main"><p id=p1 data-x="one two">a</p><p id=p2 lang=en-GB>b</p><span id=s1></span></div>
<section id=s2><div id=d2><p id=p3 title="Vol. 3">c</p></div></section>`;

describe("selectElements", () => {
  it.each([
    ["p", "p1 p2 p3"],
    ["*[title]", "p3"],
    [".abstract", "d1"],
    [".abstract.main", "d1"],
    ["#P1", "p1"],
    ["div p", "p1 p2 p3"],
    ["body > div > p", "p1 p2"],
    ["section p", "p3"],
    ["p + p", "p2"],
    ["p ~ span", "s1"],
    ["p + span, #d2", "s1 d2"],
    ['[data-x~="two"]', "p1"],
    ["[data-x=two]", ""],
    ["[lang|=en]", "p2"],
    ['[title^="vol"]', ""],
    ['[title^="vol" i]', "p3"],
    ["[title$='3']", "p3"],
    ["[title*='. ']", "p3"],
    ["p:not(#p1)", "p2 p3"],
    ["div:not(.main) > p", "p3"],
  ])("%s → %s", (selector, ids) => {
    expect(idsOf(selector, html)).toBe(ids);
  });

  it.each([
    ["", "the selector ends too early at position 1"],
    ["div >", "the selector ends too early at position 6"],
    ["p:hover", '":hover" is not supported at position 2; use xpath'],
    ["p:not(a b)", '" b)" is not supported at position 8'],
    ["[x", '"[x" is not supported at position 1'],
    ["a,,b", '",b" is not supported at position 3'],
    [".1..2", '".2" is not supported at position 4'],
    [Array(60).fill("a").join(" "), "more than 50 selectors"],
  ])("%s → refused: %s", (selector, message) => {
    expect(() => parseSelectors(selector)).toThrow(new SyntaxError(message));
  });

  it("a selector of many parts on a page of many elements → refused when the budget is used up", () => {
    const page = readHtml("<div>".repeat(400) + "<p><i></i>".repeat(5_000));
    expect(() => select("* * * * * * * * * *", page, 50_000)).toThrow(PageTooLarge);
  });

  it("1,500 random selectors on random pages → what a search through all elements finds", () => {
    const random = seededRandom(28);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const compound = () =>
      pick("div|section|*|.x|.y|div.x|section.y|[k]|[k=x]|div:not(.x)|*:not([k])|#i".split("|"));
    const element = (depth: number): string => {
      const name = pick(["div", "section"]);
      const attributes = [
        pick(["", " class=x", ' class="x y"']),
        pick(["", " k", " k=x"]),
        pick(["", "", " id=i"]),
      ];
      const children = Array.from({ length: depth === 0 ? 0 : Math.floor(random() * 4) }, () =>
        element(depth - 1),
      );
      return `<${name}${attributes.join("")}>${children.join("")}</${name}>`;
    };
    for (let run = 0; run < 1500; run++) {
      const page = readHtml(element(4));
      const more = Array.from(
        { length: Math.floor(random() * 3) },
        () => pick([" ", " > ", " + ", " ~ "]) + compound(),
      );
      const selector = compound() + more.join("");
      const [parsed = []] = parseSelectors(selector);
      const expected = elementsOf(page).filter((node) => isSelected(page, node, parsed));
      expect({ run, selector, found: select(selector, page) }).toEqual({ run, selector, found: expected });
    }
  });
});

function elementsOf({ kinds }: PageTree): number[] {
  return [...kinds.keys()].filter((node) => kinds[node] === nodeKind.element);
}

/** The oracle: tests the last compound on the element, and the others on all elements that are related to it. */
function isSelected(page: PageTree, node: number, selector: Selector): boolean {
  const last = selector.at(-1);
  if (last === undefined || !fits(page, node, last.compound)) return false;
  const before = selector.slice(0, -1);
  if (before.length === 0) return true;
  const { parents, ends } = page;
  const siblings = elementsOf(page).filter((each) => parents[each] === parents[node] && each < node);
  const related = {
    " ": elementsOf(page).filter((each) => each < node && node < (ends[each] ?? 0)),
    ">": [parents[node] ?? -1].filter((each) => page.kinds[each] === nodeKind.element),
    "+": siblings.slice(-1),
    "~": siblings,
  }[last.combinator];
  return related.some((each) => isSelected(page, each, before));
}

function fits(page: PageTree, node: number, { name, tests, not }: Compound): boolean {
  const values = (attribute: string) => attributeOf(page, node, attribute);
  return (
    (name === undefined || page.names[node] === name) &&
    tests.every(({ attribute, operator, value }) =>
      operator === "exists"
        ? values(attribute) !== undefined
        : operator === "="
          ? values(attribute) === value
          : values(attribute)?.split(" ").includes(value),
    ) &&
    !not.some((compound) => fits(page, node, compound))
  );
}
