/** What a later capture may be a duplicate of. */
export interface IndexEntry {
  url: string;
  digest: string;
  /** The date of the original capture, `YYYYMMDDhhmmssSSS`. */
  date: string;
  /** Where its payload is: `file,offset[,date]`. */
  origin: string;
}
