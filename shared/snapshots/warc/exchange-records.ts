import { firstBytes } from "./block-part.ts";
import { responseIdOf } from "./record-ids.ts";
import { blockOf, formatFields, type WarcBlock, type WarcRecord, warcDate } from "./warc-record.ts";

/** A request and its response, as they were sent. */
export interface CapturedExchange {
  /** The absolute URL, as requested. */
  url: string;
  /** When the request began. */
  startedAt: Date;
  durationMs: number;
  /** The IP address that responded. */
  address?: string;
  /** The head of the request, as sent. */
  request: Uint8Array;
  /** The informational responses (1xx) before the response, as received. */
  informational?: () => Promise<Uint8Array>;
  /** The status line, headers and body, as received. */
  response: WarcBlock;
  /** The size of the head, including the empty line. */
  headBytes: number;
  /**
   * The digest of the body without its transfer coding, but with its content coding. Absent if the body is
   * empty.
   */
  payloadDigest?: string;
  /** Whether the body is in a compressed format. */
  isCompressed?: boolean;
  /** Whether later captures may refer to it: it is whole, and not empty. Then its record has an id that they can know. */
  isReferable?: boolean;
  /** Why the response is not whole. */
  truncated?: "length" | "time" | "disconnect" | "unspecified";
  /** The page that links to the URL; absent for a seed. */
  via?: string;
  /** One letter per hop from the seed: `L` link, `E` embed, `R` redirect, … */
  hops: string;
}

/** The capture whose content this one repeats. */
export interface OriginalCapture {
  url: string;
  date: Date;
  /** `urn:uuid:…`; absent when nothing says it. */
  recordId?: string;
}

/** Creates ids of records: `urn:uuid:…`. */
export type RecordIds = () => string;

/**
 * The minimum size of a response that is stored uncompressed because its body is compressed. A smaller
 * response is mostly head, which is worth compressing.
 */
const minStoredBytes = 4096;

/**
 * The minimum size of such a response from which all records of the exchange are stored uncompressed. Their
 * compression would save less than a fiftieth.
 */
const minAllStoredBytes = 16_384;

/** The profile of a revisit whose payload is identical to that of an earlier capture. */
const identicalPayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/**
 * Returns the records of an exchange in the order in which they are written: response or revisit, request,
 * metadata, and a metadata record with the informational responses, if any. All have the date of the capture
 * and refer to each other. A revisit contains only the head of the response.
 * @param given.warcinfoId the id of the record that describes the capture
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
