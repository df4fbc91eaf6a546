import * as z from "zod";
import { originRules } from "../rule-ids.ts";

/** A finding about the origin of a record, which its fields alone do not show. */
export const originFinding = z
  .strictObject({
    ruleId: z.enum(originRules),
    tag: z.string().describe("The field that is concerned"),
    reason: z.string(),
    isHeld: z.literal(true).optional().describe("Set when the record waits for an operator because of it"),
  })
  .meta({ title: "OriginFinding" });
export type OriginFinding = z.output<typeof originFinding>;
