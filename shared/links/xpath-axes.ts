import { nodeKind, type Page } from "./page.ts";
import type { Axis } from "./xpath-syntax.ts";

type Visit = (node: number) => void;

/** Axes that count positions backwards. */
export const reverseAxes: ReadonlySet<Axis> = new Set([
  "ancestor",
  "ancestor-or-self",
  "preceding",
  "preceding-sibling",
]);

/**
 * Visits the nodes of an axis in the order in which the axis counts them. Namespace nodes there are none.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#axes
 */
export function forEachOn(axis: Axis, { page, node }: { page: Page; node: number }, visit: Visit): void {
  const { kinds, parents } = page;
  const end = endOf(page, node);
  const parent = parents[node] ?? -1;
  const isAttribute = kinds[node] === nodeKind.attribute;
  switch (axis) {
    case "self":
      return visit(node);
    case "child":
      return visitSiblings(page, { from: firstChild(page, node), to: end }, visit);
    case "attribute":
      for (let at = node + 1; at < end && kinds[at] === nodeKind.attribute; at++) visit(at);
      return;
    case "descendant-or-self":
      visit(node);
      return visitRange(page, { from: node + 1, to: end }, visit);
    case "descendant":
      return visitRange(page, { from: node + 1, to: end }, visit);
    case "following":
      return visitRange(page, { from: end, to: kinds.length }, visit);
    case "following-sibling":
      if (parent >= 0 && !isAttribute) visitSiblings(page, { from: end, to: endOf(page, parent) }, visit);
      return;
    case "parent":
      if (parent >= 0) visit(parent);
      return;
    case "ancestor-or-self":
      visit(node);
      return visitAncestors(page, parent, visit);
    case "ancestor":
      return visitAncestors(page, parent, visit);
    case "preceding":
      return visitPreceding(page, isAttribute ? parent : node, visit);
    case "preceding-sibling":
      if (parent >= 0 && !isAttribute) visitPrecedingSiblings(page, node, visit);
      return;
    case "namespace":
      return;
  }
}

function endOf({ ends }: Page, node: number): number {
  return ends[node] ?? 0;
}

function firstChild(page: Page, node: number): number {
  let at = node + 1;
  while (page.kinds[at] === nodeKind.attribute && page.parents[at] === node) at++;
  return at;
}

function visitSiblings(page: Page, { from, to }: { from: number; to: number }, visit: Visit): void {
  for (let at = from; at < to; at = endOf(page, at)) visit(at);
}

function visitRange({ kinds }: Page, { from, to }: { from: number; to: number }, visit: Visit): void {
  for (let at = from; at < to; at++) if (kinds[at] !== nodeKind.attribute) visit(at);
}

function visitAncestors({ parents }: Page, from: number, visit: Visit): void {
  for (let at = from; at >= 0; at = parents[at] ?? -1) visit(at);
}

/** All before the node but its ancestors, which have not ended yet. */
function visitPreceding(page: Page, node: number, visit: Visit): void {
  for (let at = node - 1; at > 0; at--) {
    if (page.kinds[at] !== nodeKind.attribute && endOf(page, at) <= node) visit(at);
  }
}

function visitPrecedingSiblings(page: Page, node: number, visit: Visit): void {
  const before: number[] = [];
  visitSiblings(page, { from: firstChild(page, page.parents[node] ?? 0), to: node }, (at) => before.push(at));
  for (const at of before.reverse()) visit(at);
}
