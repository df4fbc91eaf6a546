/**
 * A MARC-21 record as plain tuples: small, quick to build and to compare, and its own JSON form.
 * @see https://www.loc.gov/marc/specifications/specrecstruc.html
 */
export interface MarcRecord {
  /** 24 characters. */
  leader: string;
  /** 001 to 009, in the order in which they are written. */
  control: ControlField[];
  /** 010 to 999 and local alphabetic tags, in the order in which they are written. */
  fields: DataField[];
}

/** Tag of three characters and its value. */
export type ControlField = [tag: string, value: string];

/** Tag of three characters, two indicators (blank = space), subfields in order. */
export type DataField = [tag: string, indicators: string, subfields: Subfield[]];

/** Code of one character and its value. */
export type Subfield = [code: string, value: string];
