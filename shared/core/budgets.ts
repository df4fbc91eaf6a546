/**
 * How much of what others write may be stored in one item of DynamoDB, which takes 400 KB in all. Whatever is longer is cut,
 * with "…" at its end, or what has it is dropped with a reason: never the page, message or run that it came from.
 *
 * Chars are UTF-16 code units, of up to three bytes each; bytes are UTF-8.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
export const budgets = {
  /** A title, a detail or a warning. Cut. */
  textChars: 1_000,
  /** The warnings of a record. The others are counted. */
  warnings: 20,
  /** Why a source or an article failed: several details. Cut. */
  reasonBytes: 8_000,
  /** The dropped entries of a listing. The others are counted. */
  droppedEntries: 100,
  /** What names a dropped entry, and why it was dropped. Cut. */
  droppedEntryBytes: 500,
  droppedReasonBytes: 1_000,
  /** An identifier of a document. Dropped. */
  identifierChars: 2_000,
  /** The date of a document, as its source writes it. Dropped. */
  datestampChars: 100,
  /** The files of a document, and their URLs together. Dropped. */
  files: 200,
  fileUrlBytes: 64_000,
  /** The sets of a document, and each of their specs. Further and longer ones are left out. */
  sets: 100,
  setSpecChars: 500,
  /** The names of the files of an upload together. Refused. */
  uploadNameBytes: 200_000,
  /** The changes of a hold whose mails fail: further ones replace them. */
  pendingHoldChanges: 100,
  /** DOI and URLs of a record together: its keys in the archive take up to three times as much. Dropped. */
  recordUrlChars: 20_000,
} as const;
