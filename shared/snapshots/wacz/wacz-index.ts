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

/** A line of a CDXJ, as far as a package needs it. */
export interface CdxjLine {
  /** `YYYYMMDDhhmmss` */
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

/** An index of this size is read at once; a larger one by its blocks. */
const maxPlainBytes = 50_000;

const linesPerBlock = 256;

const linesPerPiece = 10_000;

/** @returns undefined when the text is not a line of a CDXJ */
export function parseCdxjLine(line: string): CdxjLine | undefined {
  const [, timestamp, json] = /^.*? (\d{14}) (\{.*\})$/.exec(line) ?? [];
  const fields = parseJson(json ?? "") as CdxjLine["fields"] | null | undefined;
  if (timestamp === undefined || typeof fields?.url !== "string") return undefined;
  return { timestamp, fields };
}

/**
 * The index of a package: `index.cdxj`, or from 50 kB on `index.cdx.gz`, 256 lines a gzip member, with the first key of each
 * member in `index.idx`.
 * @see https://specs.webrecorder.net/cdxj/0.1.0/
 */
export function waczIndex(captures: readonly CdxjLine[]): PackedText[] {
  const lines = sortCdxj(
    withoutShadows(captures).map(
      ({ timestamp, fields }) => `${replayKey(fields.url)} ${timestamp} ${JSON.stringify(fields)}`,
    ),
  );
  // Of few lines only: all lines may be longer than a string can be.
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
 * Without revisits of the very second in which the URL has a response: a viewer takes one of them, and that has no
 * content.
 */
function withoutShadows(captures: readonly CdxjLine[]): CdxjLine[] {
  const keyOf = ({ timestamp, fields: { url } }: CdxjLine) => `${url} ${timestamp}`;
  const responses = new Set(captures.filter((each) => !isRevisit(each)).map(keyOf));
  return captures.filter((each) => !isRevisit(each) || !responses.has(keyOf(each)));
}

/** The capture that a revisit refers to. */
export interface OriginalRecord {
  url: string;
  /** `YYYYMMDDhhmmss` */
  timestamp: string;
}

/**
 * Captures that refer to content which none of them holds: replay finds an original by its URL and second, and another
 * capture with the same content does not help.
 * @param originals what the records of revisits refer to
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

/** Lines as a file. Together they may be longer than a string can be. */
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
