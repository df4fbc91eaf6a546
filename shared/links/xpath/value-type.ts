/** Every expression has one type that is known beforehand, as there are no variables. */
export type ValueType = "nodes" | "boolean" | "number" | "string";
