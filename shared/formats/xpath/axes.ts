import { nodeKind, type PageTree } from "../tree/page-tree.ts";
import type { Axis } from "./syntax.ts";

type Visit = (node: number) => void;
type VisitAxis = (page: PageTree, node: number, visit: Visit) => number;

/** The axes on which positions count against document order. */
export const reverseAxes: ReadonlySet<Axis> = new Set([
  "ancestor",
  "ancestor-or-self",
  "preceding",
  "preceding-sibling",
]);

/**
 * Visits the nodes of each axis in the order of their positions. There are no namespace nodes.
 * @returns the number of nodes that were examined
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#axes
 */
export const visitAxis: Record<Axis, VisitAxis> = {
  self(_page, node, visit) {
    visit(node);
    return 1;
  },
  child(page, node, visit) {
    const from = firstChild(page, node);
    return from - node + visitSiblings(page, { from, to: endOf(page, node) }, visit);
  },
  attribute(page, node, visit) {
    const end = firstChild(page, node);
    for (let at = node + 1; at < end; at++) visit(at);
    return end - node;
  },
  descendant: (page, node, visit) => visitRange(page, { from: node + 1, to: endOf(page, node) }, visit),
  "descendant-or-self"(page, node, visit) {
    visit(node);
    return 1 + visitAxis.descendant(page, node, visit);
  },
  following: (page, node, visit) =>
    visitRange(page, { from: endOf(page, node), to: page.kinds.length }, visit),
  "following-sibling"(page, node, visit) {
    if (isAttribute(page, node)) return 0;
    return visitSiblings(page, { from: endOf(page, node), to: endOf(page, parentOf(page, node)) }, visit);
  },
  parent(page, node, visit) {
    if (node > 0) visit(parentOf(page, node));
    return 1;
  },
  ancestor(page, node, visit) {
    let looks = 0;
    for (let at = parentOf(page, node); at >= 0; at = parentOf(page, at)) {
      visit(at);
      looks++;
    }
    return looks;
  },
  "ancestor-or-self"(page, node, visit) {
    visit(node);
    return 1 + visitAxis.ancestor(page, node, visit);
  },
  /** Visits all nodes that end before the node starts. Its ancestors are therefore not visited. */
  preceding(page, node, visit) {
    const start = isAttribute(page, node) ? parentOf(page, node) : node;
    for (let at = start - 1; at > 0; at--) {
      if (!isAttribute(page, at) && endOf(page, at) <= start) visit(at);
    }
    return start;
  },
  "preceding-sibling"(page, node, visit) {
    if (node === 0 || isAttribute(page, node)) return 0;
    const parent = parentOf(page, node);
    const from = firstChild(page, parent);
    const before: number[] = [];
    const looks = visitSiblings(page, { from, to: node }, (at) => before.push(at));
    for (const at of before.reverse()) visit(at);
    return from - parent + looks;
  },
  namespace: () => 0,
};

function isAttribute({ kinds }: PageTree, node: number): boolean {
  return kinds[node] === nodeKind.attribute;
}

/** Returns the parent of a node; -1 for the root. */
function parentOf({ parents }: PageTree, node: number): number {
  return parents[node] ?? -1;
}

function endOf({ ends }: PageTree, node: number): number {
  return ends[node] ?? 0;
}

/** Returns the number that follows the numbers of a node's attributes. */
function firstChild(page: PageTree, node: number): number {
  let at = node + 1;
  while (isAttribute(page, at) && parentOf(page, at) === node) at++;
  return at;
}

function visitSiblings(page: PageTree, { from, to }: { from: number; to: number }, visit: Visit): number {
  let looks = 0;
  for (let at = from; at < to; at = endOf(page, at)) {
    visit(at);
    looks++;
  }
  return looks;
}

function visitRange(page: PageTree, { from, to }: { from: number; to: number }, visit: Visit): number {
  for (let at = from; at < to; at++) if (!isAttribute(page, at)) visit(at);
  return Math.max(0, to - from);
}
