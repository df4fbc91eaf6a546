import type { MarcRecord } from "../../marc/record.ts";
import type { StoredRecord } from "../documents/stored-record.ts";
import type { DomainEvent } from "../events/events.ts";
import type { ConvertedDocument, RunMode } from "../runs/run.ts";

/** What identifies and describes the content of a record, apart from its fields. */
export interface RecordContent
  extends Pick<ConvertedDocument, "hash" | "doi" | "urls" | "archiveKeys" | "matchKey">,
    Pick<StoredRecord, "title" | "landingUrl" | "provenance" | "originFindings"> {}

/** A delivered record that is converted again. */
export interface ReconvertedRecord
  extends Pick<StoredRecord, "recordId" | "sourceId" | "groupId" | "pageKey" | "landingUrl"> {
  deliveryMode: RunMode;
}

/** The result of converting a delivered record again. */
export type Reconverted =
  /** `events` tell of retractions and corrections. */
  | { type: "converted"; record: MarcRecord; content: RecordContent; events: DomainEvent[] }
  /** `gone` means that there is nothing to convert. */
  | { type: "gone" | "unconvertible"; reason: string }
  /** Names or DOIs are being looked up. */
  | { type: "waiting" };

/** Converts a delivered record again, without requesting its host. */
export type Reconvert = (
  record: ReconvertedRecord,
  reconversion: { reconversionId: string; asksAgencies: boolean },
) => Promise<Reconverted>;
