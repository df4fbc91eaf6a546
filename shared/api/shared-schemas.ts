type JsonSchema = Record<string, unknown>;

/** Keywords whose values look like schemas but are not. */
const valueKeywords = new Set(["const", "default", "enum", "example", "examples"]);

/** Collects the schemas with a title, so that other schemas can refer to them by name. */
export class SharedSchemas {
  private readonly byName = new Map<string, JsonSchema>();

  /**
   * Replaces each schema that has a title, including the given one, by a reference.
   * @param suffix added to the name of a schema if another schema has the same title
   */
  share(schema: JsonSchema, suffix: string): JsonSchema {
    const shared = this.shareWithin(schema, suffix) as JsonSchema;
    const { title } = schema;
    if (typeof title !== "string") return shared;
    const { description, ...rest } = shared;
    const $ref = `#/components/schemas/${this.nameOf(title, rest, suffix)}`;
    return description === undefined ? { $ref } : { $ref, description };
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private shareWithin(value: unknown, suffix: string): unknown {
    if (Array.isArray(value)) return value.map((each) => this.shareAny(each, suffix));
    return Object.fromEntries(
      Object.entries(value as JsonSchema).map(([key, each]) => [
        key,
        valueKeywords.has(key) ? each : this.shareAny(each, suffix),
      ]),
    );
  }

  private shareAny(value: unknown, suffix: string): unknown {
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? this.shareWithin(value, suffix) : this.share(value as JsonSchema, suffix);
  }

  private nameOf(title: string, schema: JsonSchema, suffix: string): string {
    const text = JSON.stringify(schema);
    for (let name = title; ; name += suffix || "Variant") {
      const known = this.byName.get(name);
      if (known === undefined) this.byName.set(name, schema);
      if (known === undefined || JSON.stringify(known) === text) return name;
    }
  }
}
