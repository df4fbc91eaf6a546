import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import { InputError } from "../core/errors.ts";
import { parseJson } from "../core/parse-json.ts";
import { parseInput } from "../core/schema-problems.ts";

/**
 * The query's parameters.
 * @throws InputError that names the first that is wrong, and its value: also one that is given twice, is not UTF-8, or has
 * no meaning here
 */
export function parseQuery<Schema extends z.ZodType>(context: Context, schema: Schema): z.output<Schema> {
  const parameters = new URL(context.req.url).searchParams;
  for (const [name, value] of parameters) {
    const values = parameters.getAll(name);
    if (values.length > 1) throw new InputError(name, values, "must be given once");
    // What stands for bytes that are no UTF-8.
    if (value.includes("\ufffd")) throw new InputError(name, value, "is not UTF-8");
  }
  return parseInput(schema, Object.fromEntries(parameters));
}

const emptyQuery = z.strictObject({});

/** For a route whose query has no meaning: whoever gives one means something else than what it does. */
export const refuseQuery: MiddlewareHandler = async (context, next) => {
  parseQuery(context, emptyQuery);
  await next();
};

/** A whole number from 1 on, in digits: `1e2`, `0x10` and `+5` are none. */
export function wholeNumber({ most }: { most: number }) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most,
      `must be a whole number from 1 to ${most}, in digits`,
    )
    .transform(Number);
}

/** The body. @throws InputError for what is not UTF-8, with the place and the line of the first byte that is not */
export async function textBody(context: Context): Promise<string> {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await context.req.arrayBuffer());
  // For each byte that is not UTF-8, put by the decoder, or by the gateway before it; nobody writes it on purpose.
  const at = text.indexOf("\ufffd");
  if (at < 0) return text.replace(/^\ufeff/, "");
  const before = text.slice(0, at);
  const lines = before.split("\n");
  const line = `${lines.at(-1)}${text.slice(at).split("\n", 1)[0]}`;
  const byte = new TextEncoder().encode(before).length;
  throw new InputError("body", line, `byte ${byte}, in line ${lines.length}, is not UTF-8`);
}

/** The JSON body. @throws InputError for what is not JSON in UTF-8, or that names the first field that is wrong, and its value */
export async function parseBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parseInput(schema, await jsonBody(context));
}

/** The JSON body as it is. @throws InputError for what is not JSON in UTF-8, or has a text that is no Unicode */
export async function jsonBody(context: Context): Promise<unknown> {
  const text = await textBody(context);
  const json = parseJson(text);
  if (json === undefined) throw new InputError("body", text, "is not JSON");
  refuseLoneSurrogates(json);
  return json;
}

/**
 * What is written as `"\ud800"` in JSON has no form in UTF-8: stored, it would be another text. Not by recursion: who asks
 * says how deep the JSON is.
 */
function refuseLoneSurrogates(json: unknown): void {
  const left: [value: unknown, path: string][] = [[json, ""]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, path] = next;
    if (typeof value === "string" && !value.isWellFormed()) {
      throw new InputError(path || "body", value, "has half of a surrogate pair, which is no character");
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [key, each] of Object.entries(value)) {
      left.push([key, path], [each, path === "" ? key : `${path}.${key}`]);
    }
  }
}
