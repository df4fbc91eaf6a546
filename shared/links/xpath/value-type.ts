/** The static type of an expression: without variables, it is the same on every page. */
export type ValueType = "nodes" | "boolean" | "number" | "string";
