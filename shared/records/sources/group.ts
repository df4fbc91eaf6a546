import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { groupDeliveryFields } from "./group-delivery-fields.ts";
import { groupFields } from "./group-fields.ts";

/** The delivery settings of a group that operators set. */
export const groupDelivery = z.strictObject(shapeOf(groupDeliveryFields));

/** An institution that gets records: its User-Agent, where records go, and the marks of its records. */
export const group = z.object(shapeOf(groupFields));
export type Group = z.output<typeof group>;
export type NewGroup = z.input<typeof group>;

/** A part of a group with a separate name lookup. */
export const subgroup = z.object({
  subgroupId: z.string().min(1),
  authorLookupUrl: z.url({ protocol: /^https?$/ }).optional(),
});
export type Subgroup = z.output<typeof subgroup>;
