/**
 * The limits on external texts that are stored in one DynamoDB item, which holds 400 KB in total. A longer text is
 * either cut, with "…" at its end, or the thing that contains it is dropped with a reason. The page, message or run
 * that it came from is never dropped.
 *
 * Chars are UTF-16 code units, of up to three bytes each; bytes are UTF-8.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
export const budgets = {
  /** A title, a detail or a warning. Longer texts are cut. */
  textChars: 1_000,
  /** The warnings of a record. Further warnings are only counted. */
  warnings: 20,
  /** The reason why a source or an article failed, which contains several details. Longer texts are cut. */
  reasonBytes: 8_000,
  /** The dropped entries of a listing. Further entries are only counted. */
  droppedEntries: 100,
  /** The name of a dropped entry with the reason why it was dropped. Longer texts are cut. */
  droppedEntryBytes: 500,
  droppedReasonBytes: 1_000,
  /** An identifier of a document. Documents with longer identifiers are dropped. */
  identifierChars: 2_000,
  /** The date of a document in the notation of its source. Documents with longer dates are dropped. */
  datestampChars: 100,
  /**
   * The number of files of a document, and the length of their URLs together. Documents that exceed a limit are
   * dropped.
   */
  files: 200,
  fileUrlBytes: 64_000,
  /** The number of sets of a document, and the length of each setSpec. Further sets and longer setSpecs are omitted. */
  sets: 100,
  setSpecChars: 500,
  /** The names of all files of an upload together. Uploads with longer names are refused. */
  uploadNameBytes: 200_000,
  /** The changes of a hold for which a mail could not be sent. Above the limit, a new change replaces all earlier ones. */
  pendingHoldChanges: 100,
  /**
   * The DOI and the URLs of a record together. The record's keys in the archive take up to three times as much. Records
   * that exceed the limit are dropped.
   */
  recordUrlChars: 20_000,
  /**
   * The bodies of a stored page together, and the compressed page. Larger pages are not stored. An article's page has
   * some 100 KB, 20 KB when compressed.
   */
  storedPageBytes: 8 * 1024 * 1024,
  compressedPageBytes: 1024 * 1024,
} as const;
