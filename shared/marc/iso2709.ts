/**
 * The sizes of ISO 2709 as MARC-21 uses it, in bytes.
 * @see https://www.loc.gov/marc/specifications/specrecstruc.html
 */
export const iso2709 = {
  leaderBytes: 24,
  /** Tag (3), length (4), start (5). */
  directoryEntryBytes: 12,
  maxFieldBytes: 9_999,
  maxRecordBytes: 99_999,
  recordTerminator: 0x1d,
  /** Begins a change of the character set in MARC-8. */
  escape: 0x1b,
} as const;
