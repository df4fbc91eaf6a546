import { firstBytes } from "./block-part.ts";
import { responseIdOf } from "./record-ids.ts";
import { blockOf, formatFields, type WarcBlock, type WarcRecord, warcDate } from "./warc-record.ts";

/** A request and its response, as they were on the wire. */
export interface CapturedExchange {
  /** Absolute, as it was requested. */
  url: string;
  /** When the request was begun. */
  startedAt: Date;
  durationMs: number;
  /** The address that answered. */
  address?: string;
  /** The head of the request as it was sent. */
  request: Uint8Array;
  /** Answers with 1xx that came before the response, as they came. */
  informational?: () => Promise<Uint8Array>;
  /** Status line, headers and body as they came. */
  response: WarcBlock;
  /** The first bytes of it, with the empty line. */
  headBytes: number;
  /** The digest of the body without its transfer coding; its content coding stays. Absent of an empty body. */
  payloadDigest?: string;
  /** Whether the body is in a compressed format. */
  isCompressed?: boolean;
  /** Whether later captures may refer to it: it is whole, and not empty. Then its record has an id that they can know. */
  isReferable?: boolean;
  /** Why the response is not whole. */
  truncated?: "length" | "time" | "disconnect" | "unspecified";
  /** The page that led here; absent of a seed. */
  via?: string;
  /** `L` link, `E` embed, `R` redirect, …: one for each hop from the seed. */
  hops: string;
}

/** The capture whose content this one repeats. */
export interface OriginalCapture {
  url: string;
  date: Date;
  /** `urn:uuid:…`; absent when nothing says it. */
  recordId?: string;
}

/** Makes ids of records: `urn:uuid:…`. */
export type RecordIds = () => string;

/** A smaller answer is mostly head, which is worth compressing, also when its body is compressed. */
const minStoredBytes = 4096;

/** Beside such an answer, what compression saves of the other records is less than a fiftieth. */
const minAllStoredBytes = 16_384;

/** The profile of a revisit whose payload is that of an earlier capture. */
const identicalPayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/**
 * The records of an exchange, in the order in which they are written: response or revisit, request, metadata, and a
 * metadata record with the informational responses if some came. All have the date of the capture and name each other.
 * A revisit keeps the head of the response alone.
 * @param given.warcinfoId of the record that describes the capture
 */
export async function exchangeRecords(
  exchange: CapturedExchange,
  given: { warcinfoId: string; newId: RecordIds; original?: OriginalCapture | undefined },
): Promise<WarcRecord[]> {
  const { url, startedAt, address, response } = exchange;
  const warcinfo = ["WARC-Warcinfo-ID", `<${given.warcinfoId}>`] as const;
  const fields = address === undefined ? [warcinfo] : [warcinfo, ["WARC-IP-Address", address] as const];
  const { payloadDigest, isReferable = false } = exchange;
  const id =
    given.original === undefined && isReferable && payloadDigest !== undefined
      ? responseIdOf(given.warcinfoId, { url, startedAt, payloadDigest })
      : given.newId();
  const concurrent = ["WARC-Concurrent-To", `<${id}>`] as const;
  const storedFrom = (leastBytes: number) =>
    exchange.isCompressed === true && given.original === undefined && response.sizeBytes > leastBytes;
  const common = { targetUri: url, date: startedAt, isStored: storedFrom(minAllStoredBytes) };
  const main: WarcRecord =
    given.original === undefined
      ? {
          ...common,
          type: "response",
          id,
          contentType: "application/http;msgtype=response",
          fields: [...fields, ...payloadFields(exchange), ...truncatedFields(exchange.truncated)],
          block: response,
          isStored: storedFrom(minStoredBytes),
        }
      : { ...common, ...(await revisit(exchange, given.original, fields)), id };
  const metadata = { ...common, type: "metadata", fields: [warcinfo, concurrent] } as const;
  const informational = await exchange.informational?.();
  return [
    main,
    {
      ...common,
      type: "request",
      id: given.newId(),
      contentType: "application/http;msgtype=request",
      fields: [...fields, concurrent],
      block: blockOf(exchange.request),
    },
    {
      ...metadata,
      id: given.newId(),
      contentType: "application/warc-fields",
      block: blockOf(formatFields(metadataOf(exchange))),
    },
    ...(informational === undefined
      ? []
      : [
          {
            ...metadata,
            id: given.newId(),
            contentType: "application/http;msgtype=response",
            block: blockOf(informational),
          },
        ]),
  ];
}

async function revisit(
  exchange: CapturedExchange,
  original: OriginalCapture,
  common: WarcRecord["fields"],
): Promise<Pick<WarcRecord, "type" | "contentType" | "fields" | "block">> {
  return {
    type: "revisit",
    contentType: "application/http;msgtype=response",
    fields: [
      ...common,
      ...payloadFields(exchange),
      ["WARC-Profile", identicalPayload],
      ...(original.recordId === undefined ? [] : [["WARC-Refers-To", `<${original.recordId}>`] as const]),
      ["WARC-Refers-To-Target-URI", original.url],
      ["WARC-Refers-To-Date", warcDate(original.date)],
      ...truncatedFields("length"),
    ],
    block: blockOf(await firstBytes(exchange.response.chunks, exchange.headBytes)),
  };
}

function payloadFields({ payloadDigest }: CapturedExchange): (readonly [string, string])[] {
  return payloadDigest === undefined ? [] : [["WARC-Payload-Digest", payloadDigest]];
}

function truncatedFields(reason: CapturedExchange["truncated"]): (readonly [string, string])[] {
  return reason === undefined ? [] : [["WARC-Truncated", reason]];
}

function metadataOf({ via, hops, durationMs }: CapturedExchange): (readonly [string, string])[] {
  return [
    ...(via === undefined ? [] : [["via", via] as const]),
    ...(hops === "" ? [] : [["hopsFromSeed", hops] as const]),
    ["fetchTimeMs", String(durationMs)],
  ];
}
