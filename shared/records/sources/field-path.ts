/** An item of the configuration, or an object in it. */
type Fields = Record<string, unknown>;

/**
 * Returns the value at a path, such as `throttleMs` or `crawl.maxPages`.
 * @returns undefined when there is none
 */
export function fieldAt(item: object, path: string): unknown {
  const [field, inner] = splitPath(path);
  const whole = (item as Fields)[field];
  if (inner === undefined) return whole;
  return isObject(whole) ? whole[inner] : undefined;
}

/** Sets the value at a path; undefined deletes it. Missing objects of the path are created. */
export function setField(item: object, path: string, value: unknown): void {
  const [field, inner] = splitPath(path);
  const fields = item as Fields;
  if (inner === undefined) put(fields, field, value);
  else {
    if (value !== undefined) fields[field] ??= {};
    const whole = fields[field];
    if (isObject(whole)) put(whole, inner, value);
  }
}

function splitPath(path: string): [field: string, inner?: string] {
  return path.split(".") as [string, string?];
}

function put(fields: Fields, field: string, value: unknown): void {
  if (value === undefined) delete fields[field];
  else fields[field] = value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
