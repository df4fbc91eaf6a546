import { parseJson } from "../../core/parse-json.ts";
import { maxJsonLdChars, maxJsonLdDepth, maxJsonLdNodes } from "../limits.ts";
import { plainText } from "../plain-text.ts";

/** A JSON-LD object that is not validated. */
export type JsonLdNode = Readonly<Record<string, unknown>>;

export interface JsonLdGraph {
  /** The objects at the top of the blocks, those in `@graph`, and main entities, in order. */
  nodes: JsonLdNode[];
  /** Merged objects by `@id`, for resolving references. The first value of a property takes precedence. */
  byId: Map<string, JsonLdNode>;
  problems: string[];
}

/** Properties that lead from a page to its subject. */
const leadsToSubject = ["@graph", "mainEntity", "mainEntityOfPage"];

/**
 * Reads the JSON-LD blocks of a page as plain JSON, assuming the schema.org context. An invalid block is omitted and
 * reported.
 * @see https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents
 */
export function readJsonLdGraph(blocks: readonly string[]): JsonLdGraph {
  const byId = new Map<string, Record<string, unknown>>();
  const graph: JsonLdGraph = { nodes: [], byId, problems: [] };
  let budget = maxJsonLdNodes;
  const walk = (value: unknown, isSubject: boolean, depth: number): void => {
    if (typeof value !== "object" || value === null) return;
    if (budget-- <= 0 || depth > maxJsonLdDepth) {
      graph.problems.push("json-ld: nested or repeated beyond the limits");
      return;
    }
    if (Array.isArray(value)) {
      for (const entry of value.slice(0, maxJsonLdNodes)) walk(entry, isSubject, depth + 1);
      return;
    }
    const node = value as JsonLdNode;
    const id = node["@id"];
    if (typeof id === "string" && Object.keys(node).length > 1) mergeNode(byId, id, node);
    if (isSubject) graph.nodes.push(node);
    for (const [key, child] of Object.entries(node))
      walk(child, isSubject && leadsToSubject.includes(key), depth + 1);
  };

  for (const block of blocks) {
    const parsed = parseBlock(block);
    if (parsed.problem !== undefined) graph.problems.push(parsed.problem);
    else walk(parsed.value, true, 0);
  }
  const nodes = graph.nodes.map((node) => resolveReference(node, graph));
  return { nodes, byId, problems: [...new Set(graph.problems)] };
}

function mergeNode(byId: Map<string, Record<string, unknown>>, id: string, node: JsonLdNode): void {
  const known = byId.get(id);
  if (known === undefined) byId.set(id, { ...node });
  else
    for (const [key, value] of Object.entries(node))
      if (!Object.hasOwn(known, key) && key !== "__proto__") known[key] = value;
}

/**
 * Resolves an object by its `@id`. An object that contradicts the merged one is returned unresolved, because some sites
 * give all authors the same `@id`.
 */
function resolveReference(node: JsonLdNode, { byId }: JsonLdGraph): JsonLdNode {
  const id = node["@id"];
  const known = typeof id === "string" ? byId.get(id) : undefined;
  if (known === undefined) return node;
  const agrees = Object.entries(node).every(
    ([key, value]) => typeof value === "object" || known[key] === value,
  );
  return agrees ? known : node;
}

/** Returns the values of a property as a list, with references resolved. */
export function valuesOf(node: JsonLdNode, property: string, graph: JsonLdGraph): unknown[] {
  const value = node[property];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list
    .filter((entry) => entry !== undefined && entry !== null)
    .map((entry) => (isNode(entry) ? resolveReference(entry, graph) : entry));
}

/** Returns the plain texts of a property. The text of an object is its value, name or URL. */
export function propertyTexts(node: JsonLdNode, property: string, graph: JsonLdGraph): string[] {
  return valuesOf(node, property, graph)
    .map((value) => plainText(readLiteral(value)))
    .filter((text) => text !== undefined);
}

/** Returns the types of a node without the vocabulary: "http://schema.org/Article" becomes "Article". */
export function typesOf(node: JsonLdNode): string[] {
  const types: unknown[] = [node["@type"]].flat();
  return types.flatMap((type) => (typeof type === "string" ? [type.split(/[/#:]/).at(-1) ?? type] : []));
}

export function isNode(value: unknown): value is JsonLdNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the text of a value: of an object, its value, name or URL. */
export function readLiteral(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (!isNode(value)) return undefined;
  return ["@value", "value", "name", "url", "@id"]
    .map((key) => value[key])
    .find((text) => typeof text === "string");
}

/** A JSON string, or a trailing comma, which some templates produce. */
const trailingComma = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|,(?=\s*[\]}])/g;

/**
 * Parses the text between the outermost brackets, because some sites wrap the JSON in a comment or CDATA, or end it
 * with ";".
 */
function parseBlock(block: string): { value?: unknown; problem?: string } {
  if (block.length > maxJsonLdChars) return { problem: "json-ld: a block is too long" };
  const bare = block.includes("<![CDATA[") ? block.replace("<![CDATA[", "").replace("]]>", "") : block;
  const start = bare.search(/[{[]/);
  const end = Math.max(bare.lastIndexOf("}"), bare.lastIndexOf("]"));
  const json = start === -1 ? bare : bare.slice(start, end + 1);
  const value =
    parseJson(json) ?? parseJson(json.replace(trailingComma, (found) => (found === "," ? "" : found)));
  return value === undefined ? { problem: "json-ld: a block is not valid JSON" } : { value };
}
