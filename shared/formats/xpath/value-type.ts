/** The static type of an expression. Because there are no variables, the type is the same on every page. */
export type ValueType = "nodes" | "boolean" | "number" | "string";
