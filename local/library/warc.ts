/** `ingather/warc`: WARC files, their CDXJ indexes, and the keys of these indexes. */
export { type CdxjLine, parseCdxjLine } from "../../shared/snapshots/wacz/wacz-index.ts";
export { type ArchiveRecord, archiveRecords } from "../../shared/snapshots/warc/archive-records.ts";
export { formatCdxjLine, type IndexedCapture, sortCdxj } from "../../shared/snapshots/warc/cdxj.ts";
export {
  type CapturedExchange,
  exchangeRecords,
  type OriginalCapture,
  type RecordIds,
} from "../../shared/snapshots/warc/exchange-records.ts";
export { gzipMember } from "../../shared/snapshots/warc/gzip-member.ts";
export { sha1DigestOf } from "../../shared/snapshots/warc/sha1-digest.ts";
export { surt } from "../../shared/snapshots/warc/surt.ts";
export { isoTimeOf, timestamp14 } from "../../shared/snapshots/warc/timestamp.ts";
export {
  blockOf,
  type WarcBlock,
  type WarcRecord,
  type WarcRecordType,
} from "../../shared/snapshots/warc/warc-record.ts";
export {
  type RecordGroup,
  type RecordPlace,
  type WarcFile,
  type WarcSettings,
  WarcWriter,
} from "../../shared/snapshots/warc/warc-writer.ts";
export { warcinfoRecord } from "../../shared/snapshots/warc/warcinfo.ts";
