import { crc32, deflateRawSync } from "node:zlib";

/** An entry of an archive that no honest program writes. */
export interface RawEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** The name in front of the content; that of the directory by default. */
  localName?: string;
  flags?: number;
  /** What the directory says; by default what is true. */
  method?: number;
  crc?: number;
  sizeBytes?: number;
  mode?: number;
  extra?: Buffer;
  /** The index of the entry whose place in the archive it names, too. */
  sharesPlaceOf?: number;
}

/** @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function rawZip(entries: readonly RawEntry[]): Buffer {
  const places: number[] = [];
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { flags = 0x800, method = 8, mode = 0o100644, extra = Buffer.alloc(0), content = "" } = entry;
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const { crc = crc32(bytes), sizeBytes = bytes.length } = entry;
    const name = Buffer.from(entry.name);
    const localName = Buffer.from(entry.localName ?? name);
    const place = entry.sharesPlaceOf === undefined ? at : (places[entry.sharesPlaceOf] ?? 0);
    const sizes = (nameBytes: number, extraBytes: number) =>
      numbers(
        [20, 2],
        [flags, 2],
        [method, 2],
        [0, 4],
        [crc, 4],
        [packed.length, 4],
        [sizeBytes, 4],
        [nameBytes, 2],
        [extraBytes, 2],
      );
    if (entry.sharesPlaceOf === undefined) {
      const local = Buffer.concat([numbers([0x04034b50, 4]), sizes(localName.length, 0), localName, packed]);
      locals.push(local);
      at += local.length;
    }
    places.push(place);
    directory.push(
      numbers([0x02014b50, 4], [0x0314, 2]),
      sizes(name.length, extra.length),
      numbers([0, 2], [0, 2], [0, 2], [(mode << 16) >>> 0, 4], [place, 4]),
      name,
      extra,
    );
  }
  const central = Buffer.concat(directory);
  const count = entries.length;
  const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [central.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...locals, central, end]);
}

function numbers(...values: [value: number, bytes: 2 | 4][]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}

/** A file in memory that counts what is read of it. */
export function fileOf(bytes: Buffer) {
  const file = {
    sizeBytes: bytes.length,
    reads: 0,
    async *read(start: number, end: number) {
      file.reads += 1;
      yield bytes.subarray(start, end);
    },
  };
  return file;
}
