import type { ValueType } from "./value-type.ts";

/** The type of a parameter: `nodes` is a node-set; `any` is any value, which is converted. */
type Parameter = "nodes" | "any";

interface Signature {
  result: ValueType;
  parameters: Parameter[];
  /** The number of required parameters. */
  required: number;
  /** Set when the last parameter may be repeated. */
  repeats?: boolean;
}

/**
 * The core function library.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#corelib
 */
const library = {
  last: { result: "number", parameters: [], required: 0 },
  position: { result: "number", parameters: [], required: 0 },
  count: { result: "number", parameters: ["nodes"], required: 1 },
  id: { result: "nodes", parameters: ["any"], required: 1 },
  "local-name": { result: "string", parameters: ["nodes"], required: 0 },
  "namespace-uri": { result: "string", parameters: ["nodes"], required: 0 },
  name: { result: "string", parameters: ["nodes"], required: 0 },
  string: { result: "string", parameters: ["any"], required: 0 },
  concat: { result: "string", parameters: ["any", "any"], required: 2, repeats: true },
  "starts-with": { result: "boolean", parameters: ["any", "any"], required: 2 },
  contains: { result: "boolean", parameters: ["any", "any"], required: 2 },
  "substring-before": { result: "string", parameters: ["any", "any"], required: 2 },
  "substring-after": { result: "string", parameters: ["any", "any"], required: 2 },
  substring: { result: "string", parameters: ["any", "any", "any"], required: 2 },
  "string-length": { result: "number", parameters: ["any"], required: 0 },
  "normalize-space": { result: "string", parameters: ["any"], required: 0 },
  translate: { result: "string", parameters: ["any", "any", "any"], required: 3 },
  boolean: { result: "boolean", parameters: ["any"], required: 1 },
  not: { result: "boolean", parameters: ["any"], required: 1 },
  true: { result: "boolean", parameters: [], required: 0 },
  false: { result: "boolean", parameters: [], required: 0 },
  lang: { result: "boolean", parameters: ["any"], required: 1 },
  number: { result: "number", parameters: ["any"], required: 0 },
  sum: { result: "number", parameters: ["nodes"], required: 1 },
  floor: { result: "number", parameters: ["any"], required: 1 },
  ceiling: { result: "number", parameters: ["any"], required: 1 },
  round: { result: "number", parameters: ["any"], required: 1 },
} satisfies Record<string, Signature>;

export type FunctionName = keyof typeof library;

export const signatures: Readonly<Record<FunctionName, Signature>> = library;

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(library, name);
}
