/** A capture of which a later capture may be a duplicate. */
export interface IndexEntry {
  url: string;
  digest: string;
  /** The date of the original capture, `YYYYMMDDhhmmssSSS`. */
  date: string;
  /** The place of its payload: `file,offset[,date]`. */
  origin: string;
}
