import fc from "fast-check";

export type JsonSchema = Record<string, unknown>;

/** Finds what a reference within the document leads to. */
export function resolve(document: object, schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== "string") return schema;
  const [, ...path] = schema.$ref.split("/");
  return path.reduce<unknown>((at, key) => (at as JsonSchema)[key], document) as JsonSchema;
}

/** Values that a schema allows, small ones; and now and then what no schema allows. */
export function valuesOf(document: object, schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: allowed(document, schema, depth) }, { weight: 1, arbitrary: odd });
}

/** What goes wrong first. */
const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e21,
    "",
    " ",
    "..",
    "\u0000",
    "a\ud800",
    "%",
    "ä#?&=",
    "x".repeat(3000),
  ),
  fc.constantFrom([], {}, [[[[]]]], { a: { b: null } }, "__proto__", "constructor"),
  fc.jsonValue({ maxDepth: 2 }),
);

function allowed(document: object, given: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const schema = resolve(document, given);
  const union = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (union !== undefined) return fc.oneof(...union.map((each) => valuesOf(document, each, depth)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => ofType(document, { ...schema, type }, depth)));
}

function ofType(document: object, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "string":
      return strings(schema);
    case "integer":
    case "number":
      return fc.integer({
        min: Math.ceil(Number(schema.minimum ?? schema.exclusiveMinimum ?? -5)),
        max: Math.min(Math.floor(Number(schema.maximum ?? schema.exclusiveMaximum ?? 5000)), 1e6),
      });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valuesOf(document, (schema.items ?? {}) as JsonSchema, depth + 1), { maxLength: 2 });
    case "object":
      return objects(document, schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 12, unit: "grapheme" }),
  fc.constantFrom("demo-journal", "Ingather", "https://host.example/feed", "245", "a"),
);

const formats: Record<string, fc.Arbitrary<string>> = {
  date: fc
    .date({ noInvalidDate: true, min: new Date("1000-01-01"), max: new Date("9999-01-01") })
    .map((day) => day.toISOString().slice(0, 10)),
  "date-time": fc
    .date({ noInvalidDate: true, min: new Date("1000-01-01"), max: new Date("9999-01-01") })
    .map((at) => at.toISOString()),
  uri: fc.webUrl(),
  email: fc.emailAddress(),
};

function strings({ format, pattern, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (typeof format === "string" && formats[format] !== undefined) return formats[format];
  const long = fc.string({ minLength: Number(maxLength ?? 500), maxLength: Number(maxLength ?? 500) + 1 });
  if (typeof pattern !== "string")
    return fc.oneof({ weight: 6, arbitrary: texts }, { weight: 1, arbitrary: long });
  return fc.oneof({ weight: 4, arbitrary: matching(pattern) }, { weight: 1, arbitrary: texts });
}

function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    // Some expressions, as with look-behinds, cannot be generated from.
    return texts;
  }
}

function objects(document: object, schema: JsonSchema, depth: number): fc.Arbitrary<object> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
    additionalProperties?: JsonSchema | boolean;
  };
  const names = Object.keys(properties).filter((name) => depth < 3 || required.includes(name));
  const fields = Object.fromEntries(
    names.map((name) => [name, valuesOf(document, properties[name] as JsonSchema, depth + 1)]),
  );
  const known = fc.record(fields, { requiredKeys: required });
  if (typeof additionalProperties !== "object") return known;
  const more = fc.dictionary(
    fc.string({ maxLength: 5 }),
    valuesOf(document, additionalProperties, depth + 1),
    {
      maxKeys: 2,
    },
  );
  return fc.tuple(known, more).map(([a, b]) => ({ ...b, ...a }));
}
