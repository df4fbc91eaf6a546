import type { Context } from "hono";
import type { z } from "zod";
import { InputError } from "../core/errors.ts";
import { parsedInput } from "../core/problems.ts";

/** The query's parameters. @throws InputError that names the first that is wrong, and its value */
export function parsedQuery<Schema extends z.ZodType>(context: Context, schema: Schema): z.output<Schema> {
  return parsedInput(schema, context.req.query());
}

/** The JSON body. @throws InputError for what is not JSON, or that names the first field that is wrong, and its value */
export async function parsedBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parsedInput(schema, await jsonBody(context));
}

/** The JSON body as it is. @throws InputError for what is not JSON */
export async function jsonBody(context: Context): Promise<unknown> {
  const text = await context.req.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError("body", text, "is not JSON");
  }
}
