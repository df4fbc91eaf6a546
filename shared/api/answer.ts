import { z } from "zod";
import type { RouteAnswer } from "./route.ts";

/** The body of every error. */
export const errorBody = z
  .strictObject({ error: z.string().describe("What is wrong; names the parameter or field, and its value") })
  .meta({ title: "Error" });

/** An answer that only says why there is no other. */
export function problem(description: string): RouteAnswer {
  return { description, body: errorBody };
}

/** ISO 8601, UTC. */
export const time = z.iso.datetime();

export const count = z.int().nonnegative();

export const marcRecord = z
  .strictObject({
    leader: z.string(),
    control: z.array(z.tuple([z.string(), z.string()])).describe("Control fields: tag, value"),
    fields: z
      .array(z.tuple([z.string(), z.string(), z.array(z.tuple([z.string(), z.string()]))]))
      .describe("Data fields: tag, indicators, and subfields: code, value"),
  })
  .meta({ title: "MarcRecord" });
