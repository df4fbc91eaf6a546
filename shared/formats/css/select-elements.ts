import type { CostBudget } from "../tree/cost-budget.ts";
import { nodeKind, type PageTree } from "../tree/page-tree.ts";
import type { AttributeTest, Combinator, Compound, Selector } from "./parse-selector.ts";

/** The elements of a page by name, class and id, so that a selector only looks at elements that may match. */
export class ElementIndex {
  readonly page: PageTree;
  private readonly all: number[] = [];
  private readonly byKey = new Map<string, number[]>();
  private readonly previous = new Map<number, number>();

  constructor(page: PageTree) {
    this.page = page;
    const latestChild = new Map<number, number>();
    for (const [node, kind] of page.kinds.entries()) {
      const parent = page.parents[node] ?? -1;
      const name = page.names[node] ?? "";
      if (kind === nodeKind.element) {
        this.all.push(node);
        this.add(name, node);
        const previous = latestChild.get(parent);
        if (previous !== undefined) this.previous.set(node, previous);
        latestChild.set(parent, node);
      } else if (kind === nodeKind.attribute && (name === "class" || name === "id")) {
        const value = (page.values[node] ?? "").toLowerCase();
        const words = name === "class" ? new Set(value.split(/\s+/)) : [value];
        for (const word of words) this.add(`${name} ${word}`, parent);
      }
    }
  }

  /** Returns the elements that may match, in document order. */
  candidates({ name, tests }: Compound): readonly number[] {
    const keys = tests.flatMap(({ attribute, operator, value }) =>
      (attribute === "class" && operator === "~=") || (attribute === "id" && operator === "=")
        ? [`${attribute} ${value.toLowerCase()}`]
        : [],
    );
    const lists = [...keys, ...(name === undefined ? [] : [name])].map((key) => this.byKey.get(key) ?? []);
    return lists.toSorted((one, other) => one.length - other.length)[0] ?? this.all;
  }

  /** Returns the element before an element that has the same parent. */
  previousOf(node: number): number | undefined {
    return this.previous.get(node);
  }

  private add(key: string, node: number): void {
    const nodes = this.byKey.get(key);
    if (nodes === undefined) this.byKey.set(key, [node]);
    else nodes.push(node);
  }
}

/**
 * Selects the elements of a page that any of the selectors matches, in document order. Each compound of a selector is
 * matched once per element, so the time is linear.
 * @throws {PageTooLarge} when the budget is used up
 */
export function selectElements(
  selectors: readonly Selector[],
  index: ElementIndex,
  budget: CostBudget,
): number[] {
  const found = selectors.flatMap((selector) => selectOne(selector, index, budget));
  return selectors.length === 1 ? found : [...new Set(found)].sort((a, b) => a - b);
}

function selectOne(selector: Selector, index: ElementIndex, budget: CostBudget): number[] {
  let selected: number[] | undefined;
  for (const { combinator, compound } of selector) {
    const candidates = index.candidates(compound);
    budget.spend(1 + 2 * candidates.length);
    const matching = candidates.filter((node) => matches(index.page, node, compound, budget));
    selected = selected === undefined ? matching : related(selected, { combinator, matching, index });
  }
  return selected ?? [];
}

/** Keeps the elements that are related to one of the elements selected before. Both lists are in document order. */
function related(
  before: readonly number[],
  { combinator, matching, index }: { combinator: Combinator; matching: number[]; index: ElementIndex },
): number[] {
  const { parents, ends } = index.page;
  const parentOf = (node: number) => parents[node] ?? -1;
  if (combinator === ">" || combinator === "+") {
    const selected = new Set(before);
    const relativeOf = combinator === ">" ? parentOf : (node: number) => index.previousOf(node) ?? -1;
    return matching.filter((node) => selected.has(relativeOf(node)));
  }
  let next = 0;
  let coveredTo = 0;
  const parentsBefore = new Set<number>();
  return matching.filter((node) => {
    for (let other = before[next]; other !== undefined && other < node; other = before[++next]) {
      coveredTo = Math.max(coveredTo, ends[other] ?? 0);
      parentsBefore.add(parentOf(other));
    }
    return combinator === " " ? node < coveredTo : parentsBefore.has(parentOf(node));
  });
}

function matches(page: PageTree, node: number, { name, tests, not }: Compound, budget: CostBudget): boolean {
  if (name !== undefined && page.names[node]?.toLowerCase() !== name) return false;
  return (
    tests.every((test) => passes(attributeOf(page, node, test.attribute), test, budget)) &&
    !not.some((compound) => matches(page, node, compound, budget))
  );
}

/** Returns the value of an attribute of an element. @param name in lower case */
export function attributeOf(page: PageTree, element: number, name: string): string | undefined {
  for (let at = element + 1; page.kinds[at] === nodeKind.attribute; at++) {
    if (page.names[at]?.toLowerCase() === name) return page.values[at];
  }
  return undefined;
}

function passes(given: string | undefined, test: AttributeTest, budget: CostBudget): boolean {
  if (given === undefined) return false;
  budget.spend(1 + given.length / 8);
  const { operator, value, ignoresCase } = test;
  const actual = ignoresCase ? given.toLowerCase() : given;
  switch (operator) {
    case "exists":
      return true;
    case "=":
      return actual === value;
    case "~=":
      return actual.split(/\s+/).includes(value);
    case "|=":
      return actual === value || actual.startsWith(`${value}-`);
    case "^=":
      return value !== "" && actual.startsWith(value);
    case "$=":
      return value !== "" && actual.endsWith(value);
    case "*=":
      return value !== "" && actual.includes(value);
  }
}
