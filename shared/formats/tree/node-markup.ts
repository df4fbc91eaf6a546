import { type CostBudget, characterReadCost } from "./cost-budget.ts";
import { nodeKind, type PageTree } from "./page-tree.ts";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Elements whose content is not shown. */
const hidden: ReadonlySet<string> = new Set(["script", "style"]);

/**
 * Returns the content of an element as HTML without attributes, from which `plainText` makes text; the value of any
 * other node, escaped. The content of a script or style is returned only for this element itself.
 * @param isOmitted decides whether an element is left out
 * @param maxChars after which the rest is left out
 * @throws {PageTooLarge} when the budget is used up
 */
export function nodeMarkup(
  page: PageTree,
  node: number,
  {
    isOmitted,
    maxChars,
    budget,
  }: { isOmitted: (element: number) => boolean; maxChars: number; budget: CostBudget },
): string {
  const { kinds, names, values, ends, text, textStarts } = page;
  if (kinds[node] !== nodeKind.element && kinds[node] !== nodeKind.text)
    return escapeMarkup(values[node] ?? "");
  const end = ends[node] ?? 0;
  const open: number[] = [];
  let markup = "";
  const closeBefore = (at: number) => {
    for (let last = open.at(-1); last !== undefined && (ends[last] ?? 0) <= at; last = open.at(-1)) {
      markup += `</${names[last]}>`;
      open.pop();
    }
  };
  let at = node;
  for (; at < end && markup.length < maxChars; at++) {
    closeBefore(at);
    if (kinds[at] === nodeKind.text) {
      const own = text.slice(textStarts[at], textStarts[at + 1]);
      markup += escapeMarkup(own.slice(0, maxChars));
    } else if (kinds[at] === nodeKind.element && at !== node) {
      if (isOmitted(at) || hidden.has(names[at] ?? "")) at = (ends[at] ?? at) - 1;
      else {
        markup += `<${names[at]}>`;
        open.push(at);
      }
    }
  }
  budget.spend(at - node + markup.length * characterReadCost);
  closeBefore(end);
  return markup;
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
}
