import { type DefaultTreeAdapterTypes, defaultTreeAdapter, type html, parse } from "parse5";
import { maxNodes, PageTooLarge, type PageTree, PageTreeBuilder } from "./page-tree.ts";

type TreeNode = DefaultTreeAdapterTypes.Node;

/**
 * Parses HTML as browsers do when scripts are disabled. The content of a template is not part of the page.
 * @throws {PageTooLarge} even for a small text, because unclosed formatting elements are reopened in every paragraph
 * @see https://html.spec.whatwg.org/multipage/parsing.html
 */
export function readHtml(text: string): PageTree {
  let elements = 0;
  const treeAdapter = {
    ...defaultTreeAdapter,
    createElement(name: string, namespace: html.NS, attributes: { name: string; value: string }[]) {
      if (++elements > maxNodes) throw new PageTooLarge(`more than ${maxNodes} elements`);
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
  };
  const builder = new PageTreeBuilder({ isHtml: true });
  addChildren(parse(text, { treeAdapter, scriptingEnabled: false }), builder);
  return builder.finish();
}

/** Adds the nodes without recursion, because pages may be nested more deeply than the stack. */
function addChildren(document: DefaultTreeAdapterTypes.Document, builder: PageTreeBuilder): void {
  const open: Iterator<TreeNode>[] = [document.childNodes.values()];
  for (let children = open.at(-1); children !== undefined; children = open.at(-1)) {
    const { value: node, done } = children.next();
    if (!done) {
      const below = add(node, builder);
      if (below !== undefined) open.push(below.values());
    } else {
      open.pop();
      if (open.length > 0) builder.close();
    }
  }
}

/**
 * Adds a node.
 * @returns the children of an element, which remains open; undefined for other nodes
 */
function add(node: TreeNode, builder: PageTreeBuilder): TreeNode[] | undefined {
  if (defaultTreeAdapter.isTextNode(node)) builder.text(node.value);
  else if (defaultTreeAdapter.isCommentNode(node)) builder.comment(node.data);
  else if (defaultTreeAdapter.isElementNode(node)) {
    builder.open({ name: node.tagName, namespace: node.namespaceURI }, node.attrs);
    return node.childNodes;
  }
  return undefined;
}
