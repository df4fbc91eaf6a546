import { firstBytes } from "./block-part.ts";
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
  /** Of the body without its transfer coding; its content coding stays. Absent of an empty body. */
  payloadDigest?: string;
  /** Whether the body is in a compressed format. */
  isCompressed?: boolean;
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
}

/** Makes ids of records: `urn:uuid:…`. */
export type RecordIds = () => string;

/** The profile of a revisit whose payload is that of an earlier capture. */
const identicalPayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/**
 * The records of an exchange, in the order in which they are written: response or revisit, request, metadata, and a metadata
 * record with the informational answers if some came. All have the date of the capture and name each other. A revisit keeps
 * the head of the response alone.
 * @param given.warcinfoId of the record that describes the capture
 */
export async function exchangeRecords(
  exchange: CapturedExchange,
  given: { warcinfoId: string; newId: RecordIds; original?: OriginalCapture | undefined },
): Promise<WarcRecord[]> {
  const { url, startedAt, address, response } = exchange;
  const common = {
    targetUri: url,
    date: startedAt,
    fields: [
      ["WARC-Warcinfo-ID", `<${given.warcinfoId}>`],
      ...(address === undefined ? [] : [["WARC-IP-Address", address] as const]),
    ] as (readonly [string, string])[],
  };
  const id = given.newId();
  const concurrent = ["WARC-Concurrent-To", `<${id}>`] as const;
  const main: WarcRecord =
    given.original === undefined
      ? {
          ...common,
          type: "response",
          id,
          contentType: "application/http;msgtype=response",
          fields: [...common.fields, ...payloadFields(exchange), ...truncatedFields(exchange.truncated)],
          block: response,
          ...(exchange.isCompressed && { isCompressed: true }),
        }
      : { ...common, ...(await revisit(exchange, given.original, common.fields)), id };
  const metadata = {
    ...common,
    type: "metadata",
    fields: [...common.fields.filter(([name]) => name === "WARC-Warcinfo-ID"), concurrent],
  } as const;
  const informational = await exchange.informational?.();
  return [
    main,
    {
      ...common,
      type: "request",
      id: given.newId(),
      contentType: "application/http;msgtype=request",
      fields: [...common.fields, concurrent],
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
