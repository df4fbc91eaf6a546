import type { Context } from "hono";
import type { z } from "zod";
import { InputError } from "../core/errors.ts";
import { parseJson } from "../core/parse-json.ts";
import { parseInput } from "../core/schema-problems.ts";

/**
 * Parses the query parameters.
 * @throws InputError that names the first invalid parameter and its value. A parameter is also invalid if it is
 * repeated, is not UTF-8, or is unknown to the route
 */
export function parseQuery<Schema extends z.ZodType>(context: Context, schema: Schema): z.output<Schema> {
  const parameters = new URL(context.req.url).searchParams;
  for (const [name, value] of parameters) {
    const values = parameters.getAll(name);
    if (values.length > 1) throw new InputError(name, values, "must be given once");
    // The replacement character shows that bytes were not UTF-8.
    if (value.includes("\ufffd")) throw new InputError(name, value, "is not UTF-8");
  }
  return parseInput(schema, Object.fromEntries(parameters));
}

/** Reads the body as text. @throws InputError that names the position and line of the first byte that is not UTF-8 */
export async function textBody(context: Context): Promise<string> {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await context.req.arrayBuffer());
  // The decoder, or the gateway before it, replaces each byte that is not UTF-8 by U+FFFD. Nobody writes U+FFFD on
  // purpose.
  const at = text.indexOf("\ufffd");
  if (at < 0) return text.replace(/^\ufeff/, "");
  const before = text.slice(0, at);
  const lines = before.split("\n");
  const line = `${lines.at(-1)}${text.slice(at).split("\n", 1)[0]}`;
  const byte = new TextEncoder().encode(before).length;
  throw new InputError("body", line, `byte ${byte}, in line ${lines.length}, is not UTF-8`);
}

/**
 * Deeper than any body of the API. The functions that read and quote JSON are recursive, and 100,000 levels overflow
 * the stack.
 */
const maxJsonDepth = 100;

/**
 * Reads the body as JSON. @throws InputError for a body that is not JSON in UTF-8, is nested too deeply, or contains a
 * lone surrogate
 */
export async function jsonBody(context: Context): Promise<unknown> {
  return parseJsonBody(await textBody(context));
}

/** Reads the body like `jsonBody`. @returns undefined when there is no body */
export async function optionalJsonBody(context: Context): Promise<unknown> {
  const text = await textBody(context);
  return text.trim() === "" ? undefined : parseJsonBody(text);
}

function parseJsonBody(text: string): unknown {
  const json = parseJson(text);
  if (json === undefined) throw new InputError("body", text, "is not JSON");
  refuseUnusableJson(json);
  return json;
}

/**
 * Refuses JSON that is nested too deeply or contains a lone surrogate, such as `"\ud800"`. A lone surrogate cannot be
 * stored in UTF-8, so a different text would be read back. The function is not recursive, because clients determine how
 * deeply the JSON is nested.
 */
function refuseUnusableJson(json: unknown): void {
  let tooDeep: string | undefined;
  const left: [value: unknown, path: string, depth: number][] = [[json, "", 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, path, depth] = next;
    if (typeof value === "string" && !value.isWellFormed()) {
      throw new InputError(path || "body", value, "has half of a surrogate pair, which is not a character");
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth === maxJsonDepth) tooDeep ??= path.split(".", 1)[0];
    for (const [key, each] of Object.entries(value)) {
      left.push([key, path, depth + 1], [each, path === "" ? key : `${path}.${key}`, depth + 1]);
    }
  }
  if (tooDeep !== undefined) {
    throw new InputError(tooDeep, "…", `must not be nested more than ${maxJsonDepth} levels deep`);
  }
}
