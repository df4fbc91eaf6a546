import type { ControlField, DataField } from "../../../marc/record.ts";

/** A document as MARC-21, before the fields of its source and group are added. */
export interface DescribedResource {
  /** The leader, which has 24 characters. */
  leader: string;
  /** The control fields, without 001 and 003. */
  control: ControlField[];
  /** The data fields, in any order. */
  fields: DataField[];
  /** The title; empty when the document has none. */
  title: string;
  doi?: string;
  /** The date, YYYY or YYYY-MM-DD. */
  date?: string;
  /** The page of the resource; absent when the document names none. */
  url?: string;
  warnings: string[];
}

/** The result of reading a document. */
export type CrosswalkResult =
  | { type: "described"; resource: DescribedResource }
  | { type: "unreadable"; detail: string };
