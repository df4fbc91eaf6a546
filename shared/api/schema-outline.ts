import type { JsonSchema } from "./open-api.ts";

const lineWidth = 100;

interface Line {
  text: string;
  comment?: string;
}

/**
 * Renders a JSON Schema in TypeScript notation, with descriptions and limits as comments. A reference, or a schema with
 * a `title`, is rendered as its name; the root schema is always rendered completely.
 */
export function outlineSchema(schema: JsonSchema, { hasLimits }: { hasLimits: boolean }): string {
  const lines = outline({ ...schema, title: undefined }, { hasLimits });
  return lines
    .flatMap(({ text, comment }) => {
      if (comment === undefined) return [text];
      const line = `${text}  // ${comment}`;
      const [indent = ""] = /^ */.exec(text) ?? [];
      return line.length <= lineWidth ? [line] : [`${indent}// ${comment}`, text];
    })
    .join("\n");
}

/** Describes the limits of a value beyond its type: `1 to 500`, `at most 200 characters`, `default 5`. */
export function describeLimits(schema: JsonSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: value } = schema;
  const format = typeof schema.format === "string" ? formats[schema.format] : undefined;
  return [
    ...(format === undefined ? [] : [format]),
    ...describeRange(minimum, maximum, ""),
    // A minimum length of 1 is not listed.
    ...describeRange(minLength === 1 && maxLength !== 1 ? undefined : minLength, maxLength, " characters"),
    ...describeRange(minItems, maxItems, " entries"),
    ...(value === undefined || isEmpty(value) ? [] : [`default ${JSON.stringify(value)}`]),
  ];
}

const formats: Record<string, string> = {
  date: "YYYY-MM-DD",
  "date-time": "ISO 8601, UTC",
  email: "mail address",
  uri: "URL",
};

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function describeRange(least: unknown, most: unknown, unit: string): string[] {
  const isLimit = (limit: unknown) => typeof limit === "number" && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  if (isLimit(least) && least === most) return [`${least}${least === 1 ? unit.replace(/s$/, "") : unit}`];
  if (isLimit(least) && isLimit(most)) return [`${formatNumber(least)} to ${formatNumber(most)}${unit}`];
  if (isLimit(most)) return [`at most ${formatNumber(most)}${unit}`];
  return isLimit(least) && least !== 0 ? [`at least ${formatNumber(least)}${unit}`] : [];
}

function formatNumber(value: unknown): string {
  return Number.isInteger(value) ? `${value}` : (value as number).toPrecision(2);
}

/** Describes the type of a value in one line. */
export function describeType(schema: JsonSchema): string {
  return outline(schema, { isFlat: true })
    .map(({ text }) => text.trim())
    .join(" ");
}

interface OutlineOptions {
  /** Whether the result is a single line. */
  isFlat?: boolean;
  /** Whether limits and defaults are included. */
  hasLimits?: boolean;
}

function outline(schema: JsonSchema, options: OutlineOptions): Line[] {
  const { $ref, title } = schema;
  if (typeof $ref === "string") return [{ text: $ref.slice($ref.lastIndexOf("/") + 1) }];
  if (typeof title === "string") return [{ text: title }];
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  if (Array.isArray(schema.enum))
    return [{ text: schema.enum.map((each) => JSON.stringify(each)).join(" | ") }];
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return outlineUnion(union, options);
  const { type } = schema;
  if (Array.isArray(type)) return [{ text: type.map((each) => typeNames[each] ?? each).join(" | ") }];
  if (type === "array") return outlineArray(schema, options);
  if (type === "object") return outlineObject(schema, options);
  return [{ text: typeNames[String(type)] ?? (type === undefined ? "any" : String(type)) }];
}

const typeNames: Record<string, string> = { integer: "integer", number: "number", string: "string" };

function outlineUnion(union: JsonSchema[], options: OutlineOptions): Line[] {
  const outlined = union.map((each) => outline(each, options));
  if (outlined.some((lines) => lines.length > 1)) return joinBlocks(outlined, " | ");
  const texts = outlined.flatMap((lines) => lines.flatMap(({ text }) => text.split(" | ")));
  return [{ text: [...new Set(texts)].join(" | ") }];
}

/** Concatenates blocks of lines. The last line of a block and the first line of the next are joined. */
function joinBlocks(blocks: Line[][], separator: string): Line[] {
  return blocks.reduce((before, block) => {
    const [first, ...rest] = block;
    const last = before.at(-1);
    if (last === undefined || first === undefined) return block;
    return [...before.slice(0, -1), { text: `${last.text}${separator}${first.text}` }, ...rest];
  }, []);
}

function outlineArray({ items, prefixItems }: JsonSchema, options: OutlineOptions): Line[] {
  if (Array.isArray(prefixItems)) {
    const entries = prefixItems.map((each) => describeType(each as JsonSchema));
    return [{ text: `[${entries.join(", ")}]` }];
  }
  const entry = outline((items ?? {}) as JsonSchema, options);
  const [first, ...rest] = entry;
  if (first === undefined) return [{ text: "[]" }];
  if (rest.length === 0)
    return [{ text: /^[^{]*\|/.test(first.text) ? `(${first.text})[]` : `${first.text}[]` }];
  return [...entry.slice(0, -1), { text: `${entry.at(-1)?.text}[]` }];
}

function outlineObject(schema: JsonSchema, options: OutlineOptions): Line[] {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
    additionalProperties?: JsonSchema | boolean;
  };
  const fields = Object.entries(properties).map(([name, of]) => ({
    name: required.includes(name) ? name : `${name}?`,
    lines: outline(of, options),
    comment: [of.description, ...(options.hasLimits ? describeLimits(of) : [])]
      .filter((text) => text !== undefined)
      .join("; "),
  }));
  if (typeof additionalProperties === "object") {
    fields.push({ name: "[name]", lines: outline(additionalProperties, options), comment: "" });
  }
  const flat = `{ ${fields.map(({ name, lines }) => `${name}: ${lines[0]?.text}`).join(", ")} }`;
  const isShort =
    flat.length <= lineWidth && fields.every(({ lines, comment }) => lines.length === 1 && comment === "");
  if (options.isFlat || isShort) return [{ text: flat }];
  return [
    { text: "{" },
    ...fields.flatMap(({ name, lines: [first, ...rest], comment }): Line[] => [
      { text: `  ${name}: ${first?.text}`, ...(comment !== "" && { comment }) },
      ...rest.map(({ text, ...more }) => ({ text: `  ${text}`, ...more })),
    ]),
    { text: "}" },
  ];
}
