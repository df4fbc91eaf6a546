import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { parseJson } from "../../core/parse-json.ts";
import { sortCdxj } from "../warc/cdxj.ts";
import { replayKey } from "./replay-key.ts";

/** A file of a package. */
export interface PackedText {
  path: string;
  content: Buffer;
}

/** The parts of a CDXJ line that a package needs. */
export interface CdxjLine {
  /** The time of the capture: `YYYYMMDDhhmmss`. */
  timestamp: string;
  fields: {
    url: string;
    mime?: string;
    status?: string;
    digest?: string;
    length?: string;
    offset?: string;
    filename?: string;
  };
}

/** The maximum size of an index that a viewer reads as a whole. It reads a larger index by blocks. */
const maxPlainBytes = 50_000;

const linesPerBlock = 256;

const linesPerPiece = 10_000;

/** Parses a line. @returns undefined if it is not a line of a CDXJ */
export function parseCdxjLine(line: string): CdxjLine | undefined {
  const [, timestamp, json] = /^.*? (\d{14}) (\{.*\})$/.exec(line) ?? [];
  const fields = parseJson(json ?? "") as CdxjLine["fields"] | null | undefined;
  if (timestamp === undefined || typeof fields?.url !== "string") return undefined;
  return { timestamp, fields };
}

/**
 * Returns the index of a package: `index.cdxj` or, from 50 kB on, `index.cdx.gz` with 256 lines per gzip
 * member, and `index.idx` with the first key of each member.
 * @see https://specs.webrecorder.net/cdxj/0.1.0/
 */
export function waczIndex(captures: readonly CdxjLine[]): PackedText[] {
  const lines = sortCdxj(
    withoutShadows(captures).map(
      ({ timestamp, fields }) => `${replayKey(fields.url)} ${timestamp} ${JSON.stringify(fields)}`,
    ),
  );
  // Only a few lines are joined, because all lines may be longer than a string can be.
  const plain = lines.length < maxPlainBytes ? toBytes(lines) : undefined;
  if (plain !== undefined && plain.byteLength < maxPlainBytes)
    return [{ path: "indexes/index.cdxj", content: plain }];
  const filename = "index.cdx.gz";
  const entries = [`!meta 0 ${JSON.stringify({ format: "cdxj-gzip-1.0", filename })}`];
  const members: Buffer[] = [];
  let offset = 0;
  for (let at = 0; at < lines.length; at += linesPerBlock) {
    const block = lines.slice(at, at + linesPerBlock);
    const member = gzipSync(joinLines(block));
    const place = { offset, length: member.byteLength, digest: sha256(member), filename };
    entries.push(`${(block[0] ?? "").split(" ", 2).join(" ")} ${JSON.stringify(place)}`);
    members.push(member);
    offset += member.byteLength;
  }
  return [
    { path: `indexes/${filename}`, content: Buffer.concat(members) },
    { path: "indexes/index.idx", content: toBytes(entries) },
  ];
}

/**
 * Removes revisits of the same second as a response of the same URL, because a viewer might choose the
 * revisit, which has no content.
 */
function withoutShadows(captures: readonly CdxjLine[]): CdxjLine[] {
  const keyOf = ({ timestamp, fields: { url } }: CdxjLine) => `${url} ${timestamp}`;
  const responses = new Set(captures.filter((each) => !isRevisit(each)).map(keyOf));
  return captures.filter((each) => !isRevisit(each) || !responses.has(keyOf(each)));
}

/** The capture to which a revisit refers. */
export interface OriginalRecord {
  url: string;
  /** The time of the capture: `YYYYMMDDhhmmss`. */
  timestamp: string;
}

/**
 * Returns the captures that refer to content which none of the captures has. Replay finds an original by its
 * URL and second, so another capture with the same content does not help.
 * @param originals the captures to which the records of revisits refer
 */
export function unresolvedRevisits(
  captures: readonly CdxjLine[],
  originals: ReadonlyMap<CdxjLine, OriginalRecord | undefined>,
): CdxjLine[] {
  const held = new Map<string, string | undefined>(
    captures
      .filter((each) => !isRevisit(each))
      .map(({ timestamp, fields: { url, digest } }) => [`${url} ${timestamp}`, digest] as const),
  );
  return captures.filter((each) => {
    if (!isRevisit(each)) return false;
    const original = originals.get(each);
    const key = original && `${original.url} ${original.timestamp}`;
    if (key === undefined || !held.has(key)) return true;
    const { digest } = each.fields;
    return digest !== undefined && held.get(key) !== digest;
  });
}

export function isRevisit({ fields }: CdxjLine): boolean {
  return fields.mime === "warc/revisit";
}

export function sha256(content: Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** Converts lines to a file. Together, they may be longer than a string can be. */
export function toBytes(lines: readonly string[]): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < lines.length; at += linesPerPiece) {
    pieces.push(Buffer.from(joinLines(lines.slice(at, at + linesPerPiece))));
  }
  return Buffer.concat(pieces);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
