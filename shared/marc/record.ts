/**
 * A MARC-21 record as plain tuples. They are small and quick to create and compare, and need no conversion to JSON.
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

/** A tag of three characters with its value. */
export type ControlField = [tag: string, value: string];

/** A tag of three characters, two indicators (blank = space), and the subfields in order. */
export type DataField = [tag: string, indicators: string, subfields: Subfield[]];

/** A code of one character with its value. */
export type Subfield = [code: string, value: string];
