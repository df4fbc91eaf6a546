import type { ControlField, DataField } from "../../../marc/record.ts";

/** What a document describes, as MARC-21, before the fields of its source and group. */
export interface DescribedResource {
  /** 24 characters. */
  leader: string;
  /** Without 001 and 003. */
  control: ControlField[];
  /** In any order. */
  fields: DataField[];
  /** Empty when the document has none. */
  title: string;
  doi?: string;
  /** YYYY or YYYY-MM-DD. */
  date?: string;
  /** The page of the resource; absent when the document names none. */
  url?: string;
  warnings: string[];
}

/** The reading of one document. */
export type CrosswalkResult =
  | { type: "described"; resource: DescribedResource }
  | { type: "unreadable"; detail: string };
