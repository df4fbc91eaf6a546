import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { sourceFields } from "./source-fields.ts";

/** A source of records: a journal, with the settings of its harvest, conversion and delivery. */
export const source = z.object(shapeOf(sourceFields));
export type Source = z.output<typeof source>;
export type NewSource = z.input<typeof source>;

/** A source as it is stored. */
export type StoredSource = Source & {
  /** Set when an operator has added the source; absent when it was imported. */
  isAdded?: true;
  /** As in the configuration: the request that added it was interrupted, or is being handled. */
  isUnannounced?: true;
};
