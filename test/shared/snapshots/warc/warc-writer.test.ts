import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { archiveRecords } from "../../../../shared/snapshots/warc/archive-records.ts";
import { formatCdxjLine, sortCdxj } from "../../../../shared/snapshots/warc/cdxj.ts";
import { duplicateAnnotation, formatCrawlLogLine } from "../../../../shared/snapshots/warc/crawl-log.ts";
import {
  type CapturedExchange,
  exchangeRecords,
} from "../../../../shared/snapshots/warc/exchange-records.ts";
import { mimeType } from "../../../../shared/snapshots/warc/mime-type.ts";
import { warcinfoIdOf } from "../../../../shared/snapshots/warc/record-ids.ts";
import { sha1DigestOf } from "../../../../shared/snapshots/warc/sha1-digest.ts";
import { blockOf } from "../../../../shared/snapshots/warc/warc-record.ts";
import {
  type RecordGroup,
  type RecordPlace,
  WarcWriter,
} from "../../../../shared/snapshots/warc/warc-writer.ts";
import { readCdxLine, readCrawlLogLine } from "../index/lines/read-lines.ts";

const at = new Date("2026-03-04T05:06:07.089Z");
const head = Buffer.from(
  "HTTP/1.1 200 \r\nSet-Cookie: a=1\r\nset-cookie: b=\xfc\r\nPower by: x\r\n\r\n",
  "latin1",
);

function exchange(url: string, body: Uint8Array, rest: Partial<CapturedExchange> = {}): CapturedExchange {
  return {
    url,
    startedAt: at,
    durationMs: 12,
    address: "192.0.2.1",
    request: Buffer.from("GET / HTTP/1.1\r\nhost: a.example\r\n\r\n"),
    headBytes: head.byteLength,
    response: blockOf(Buffer.concat([head, body])),
    ...(body.byteLength > 0 && { payloadDigest: sha1DigestOf(body) }),
    via: "http://a.example/",
    hops: "LE",
    ...rest,
  };
}

/** A writer into memory, whose ids are numbers. */
function world(maxFileBytes = 1_000_000_000) {
  const files = new Map<string, { content: Buffer; isClosed: boolean }>();
  let ids = 0;
  let serial = 0;
  const newId = () => `urn:uuid:${ids++}`;
  const writer = new WarcWriter({
    prefix: "TEST-20260304050607",
    maxFileBytes,
    info: [["software", "Ingather"]],
    nextSerial: () => serial++,
    now: () => at,
    async open(filename) {
      const file = { content: Buffer.alloc(0), isClosed: false };
      files.set(filename, file);
      return {
        async append(pieces) {
          file.content = Buffer.concat([file.content, ...pieces]);
        },
        async close() {
          file.isClosed = true;
        },
      };
    },
  });
  /** Writes one group. */
  const write = async (group: RecordGroup) => (await writer.write([group]))[0] ?? [];
  return { files, newId, writer, write };
}

interface ReadRecord {
  fields: Record<string, string>;
  block: Buffer;
}

/** The one record of a gzip member, read without the code under test. */
function recordAt(
  files: ReturnType<typeof world>["files"],
  { filename, offset, length }: RecordPlace,
): ReadRecord {
  const bytes = gunzipSync(files.get(filename)?.content.subarray(offset, offset + length) ?? "");
  const headerEnd = bytes.indexOf("\r\n\r\n");
  const lines = bytes.subarray(0, headerEnd).toString("utf8").split("\r\n");
  expect(lines.shift()).toBe("WARC/1.1");
  const fields = Object.fromEntries(
    lines.map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]),
  );
  const block = bytes.subarray(headerEnd + 4, headerEnd + 4 + Number(fields["Content-Length"]));
  expect(bytes.subarray(headerEnd + 4 + block.byteLength).toString()).toBe("\r\n\r\n");
  const sha1 = base32(createHash("sha1").update(block).digest());
  expect(fields["WARC-Block-Digest"]).toBe(`sha1:${sha1}`);
  return { fields, block };
}

/** Digit by digit of one large number, unlike the code under test. */
function base32(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (let digit = 0; digit < 32; digit++, number /= 32n) {
    text = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number(number % 32n)] + text;
  }
  return text;
}

describe("WarcWriter", () => {
  it("an exchange → response, request and metadata that name each other, bytes as they came", async () => {
    const { files, write, newId } = world();
    const body = Buffer.from("5\r\nhello\r\n0\r\n\r\n");
    const given = exchange("http://a.example/x", body, { payloadDigest: sha1DigestOf(Buffer.from("hello")) });
    const places = await write((warcinfoId) => exchangeRecords(given, { warcinfoId, newId }));
    const [response, request, metadata] = places.map((place) => recordAt(files, place));
    expect(response?.block).toEqual(Buffer.concat([head, body]));
    expect(response?.fields).toMatchObject({
      "WARC-Type": "response",
      "WARC-Record-ID": "<urn:uuid:0>",
      "WARC-Warcinfo-ID": `<${warcinfoIdOf("TEST-20260304050607-00000.warc.gz")}>`,
      "WARC-Target-URI": "http://a.example/x",
      "WARC-Date": "2026-03-04T05:06:07Z",
      "WARC-IP-Address": "192.0.2.1",
      "WARC-Payload-Digest": "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
      "Content-Type": "application/http;msgtype=response",
    });
    expect(request?.fields).toMatchObject({ "WARC-Type": "request", "WARC-Concurrent-To": "<urn:uuid:0>" });
    expect(request?.block.toString()).toBe("GET / HTTP/1.1\r\nhost: a.example\r\n\r\n");
    expect(metadata?.fields).toMatchObject({ "WARC-Type": "metadata", "WARC-Concurrent-To": "<urn:uuid:0>" });
    expect(metadata?.block.toString()).toBe(
      "via: http://a.example/\r\nhopsFromSeed: LE\r\nfetchTimeMs: 12\r\n",
    );
    expect(metadata?.fields).not.toHaveProperty("WARC-Payload-Digest");
  });

  it("a repeated payload → a revisit with the new head, and the original's URI and date", async () => {
    const { files, write, newId } = world();
    const original = {
      url: "http://a.example/first",
      date: new Date("2025-01-01T00:00:00Z"),
      recordId: "urn:uuid:7",
    };
    const given = exchange("http://a.example/x", Buffer.from("same"));
    const [place] = await write((warcinfoId) => exchangeRecords(given, { warcinfoId, newId, original }));
    const revisit = recordAt(files, place as RecordPlace);
    expect(revisit.block).toEqual(head);
    expect(revisit.fields).toMatchObject({
      "WARC-Type": "revisit",
      "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
      "WARC-Refers-To": "<urn:uuid:7>",
      "WARC-Refers-To-Target-URI": "http://a.example/first",
      "WARC-Refers-To-Date": "2025-01-01T00:00:00Z",
      "WARC-Payload-Digest": sha1DigestOf(Buffer.from("same")),
      "WARC-Truncated": "length",
    });
  });

  it("files reach their size → a new one with its own warcinfo; places fill each file without gaps", async () => {
    const { files, writer, write, newId } = world(2000);
    const places: RecordPlace[] = [];
    for (let n = 0; n < 8; n++) {
      const given = exchange(`http://a.example/${n}`, Buffer.from(`body ${n}`));
      places.push(...(await write((warcinfoId) => exchangeRecords(given, { warcinfoId, newId }))));
    }
    await writer.close();
    expect(files.size).toBeGreaterThan(2);
    expect([...files.keys()][1]).toBe("TEST-20260304050607-00001.warc.gz");
    for (const [filename, { content, isClosed }] of files) {
      expect(isClosed).toBe(true);
      const own = places.filter((place) => place.filename === filename);
      const info = recordAt(files, { filename, offset: 0, length: own[0]?.offset ?? 0 });
      expect(info.fields).toMatchObject({ "WARC-Type": "warcinfo", "WARC-Filename": filename });
      expect(info.fields).not.toHaveProperty("WARC-Target-URI");
      expect(info.block.toString()).toBe("software: Ingather\r\nformat: WARC File Format 1.1\r\n");
      let end = own[0]?.offset ?? 0;
      for (const place of own) {
        expect(place.offset).toBe(end);
        end += place.length;
        expect(recordAt(files, place).fields["WARC-Warcinfo-ID"]).toBe(info.fields["WARC-Record-ID"]);
      }
      expect(end).toBe(content.byteLength);
    }
  });

  it("a large block → compressed as a stream, whole", async () => {
    const { files, write, newId } = world();
    const body = Buffer.alloc(3_000_000, "0123456789");
    const chunks = () => [
      head,
      ...Array.from({ length: 30 }, (_, n) => body.subarray(n * 100_000, (n + 1) * 100_000)),
    ];
    const response = { ...blockOf(Buffer.concat([head, body])), chunks };
    const given = exchange("http://a.example/large", body, { response });
    const [place] = await write((warcinfoId) => exchangeRecords(given, { warcinfoId, newId }));
    expect(recordAt(files, place as RecordPlace).block.equals(Buffer.concat([head, body]))).toBe(true);
    expect(place?.length).toBeLessThan(100_000);
  });

  it.each([10, 2_000_000])(
    "a block of %i bytes that is shorter than it says → an error",
    async (sizeBytes) => {
      const { write, newId } = world();
      const given = exchange("http://a.example/", Buffer.from("x"), {
        response: { ...blockOf("short"), sizeBytes },
      });
      await expect(write((warcinfoId) => exchangeRecords(given, { warcinfoId, newId }))).rejects.toThrow(
        `has 5 bytes instead of ${sizeBytes}`,
      );
    },
  );

  it("a value with a line break → no field of its own", async () => {
    const { files, write, newId } = world();
    const given = exchange("http://a.example/", Buffer.from("x"), { via: "http://b.example/\r\nX: 1" });
    const [, , place] = await write((warcinfoId) => exchangeRecords(given, { warcinfoId, newId }));
    expect(recordAt(files, place as RecordPlace).block.toString()).toContain(
      "via: http://b.example/ X: 1\r\n",
    );
  });

  it("read by our reader → every record, in order", async () => {
    const { files, write, newId } = world();
    for (const url of ["http://a.example/1", "http://a.example/2"]) {
      await write((warcinfoId) => exchangeRecords(exchange(url, Buffer.from(url)), { warcinfoId, newId }));
    }
    const [file] = files.values();
    const uris: string[] = [];
    const whole = (async function* () {
      yield gunzipSync(file?.content ?? "");
    })();
    for await (const { uri } of archiveRecords(whole)) uris.push(uri);
    expect(uris).toEqual([
      "",
      ...Array(3).fill("http://a.example/1"),
      ...Array(3).fill("http://a.example/2"),
    ]);
  });
});

const place = { filename: "f.warc.gz", offset: 34, length: 12 };

describe("formatCdxjLine", () => {
  const capture = {
    url: "http://www.a.example/ä b",
    date: at,
    status: 200,
    contentType: "Text/HTML; charset=x",
    isRevisit: false,
    digest: "sha1:AAA",
    place,
  };

  it("of a response → key, date and texts", () => {
    expect(formatCdxjLine(capture)).toBe(
      'example,a)/%c3%a4%20b 20260304050607 {"url":"http://www.a.example/ä b","mime":"text/html","status":"200","digest":"sha1:AAA","length":"12","offset":"34","filename":"f.warc.gz"}',
    );
  });

  it("of a revisit → says so, and is not an original for an index", () => {
    const line = formatCdxjLine({ ...capture, isRevisit: true });
    expect(line).toContain('"mime":"warc/revisit","status":"200"');
    expect(readCdxLine(line)).toBe("a revisit");
    expect(readCdxLine(formatCdxjLine(capture))).toEqual({
      url: capture.url,
      date: "20260304050607",
      file: "f.warc.gz",
      offset: "34",
    });
  });

  it("lines → in the order of their bytes", () => {
    expect(sortCdxj(["b", "a)/é", "a)/\u{1F600}", "a)/\uFF5E", "B"])).toEqual([
      "B",
      "a)/é",
      "a)/\uFF5E",
      "a)/\u{1F600}",
      "b",
    ]);
  });
});

describe("mimeType", () => {
  it.each([
    ["text/html;charset=utf-8", "text/html"],
    [" Image/PNG ", "image/png"],
    ["text/html, text/html", "text/html"],
    ["text / html", "-"],
    ["unknown", "-"],
    ["", "-"],
    [undefined, "-"],
  ])("of %j → %s", (header, type) => {
    expect(mimeType(header)).toBe(type);
  });
});

describe("formatCrawlLogLine", () => {
  const entry = {
    status: 200,
    sizeBytes: 1234,
    url: "http://a.example/a b.png",
    hops: "LE",
    via: "http://a.example/",
    contentType: "image/png",
    startedAt: new Date("2026-03-04T05:06:07.008Z"),
    durationMs: 81,
    digest: "sha1:AAA",
    annotations: [],
  };

  it("of an exchange → the columns of Heritrix", () => {
    expect(formatCrawlLogLine(entry, at)).toBe(
      "2026-03-04T05:06:07.089Z   200       1234 http://a.example/a%20b.png LE http://a.example/ image/png #001 20260304050607008+81 sha1:AAA - -",
    );
  });

  it("of a repeated capture → the next index finds its original", () => {
    const annotations = ["2t", duplicateAnnotation("f.warc.gz,34,20250101000000000")];
    const line = formatCrawlLogLine({ ...entry, annotations }, at);
    expect(readCrawlLogLine(line)).toEqual({
      url: "http://a.example/a%20b.png",
      digest: "AAA",
      isText: false,
      date: "20250101000000000",
      origin: "f.warc.gz,34,20250101000000000",
    });
  });

  it("of a failure → its code, and dashes", () => {
    const { via: _via, digest: _digest, ...rest } = entry;
    const failed = {
      ...rest,
      status: -2,
      sizeBytes: 0,
      hops: "",
      contentType: undefined,
      annotations: ["3t"],
    };
    expect(formatCrawlLogLine({ ...failed, contentType: "" }, at)).toBe(
      "2026-03-04T05:06:07.089Z    -2          0 http://a.example/a%20b.png - - no-type #001 20260304050607008+81 - - 3t",
    );
  });
});

describe("which records of an exchange are stored without compression: response or revisit, request, metadata", () => {
  const original = { url: "http://a.example/", date: at };
  it.each<[string, number, Partial<CapturedExchange>, { original?: typeof original }, boolean[]]>([
    ["a small image, mostly head → none", 1000, { isCompressed: true }, {}, [false, false, false]],
    ["an image → its response", 5000, { isCompressed: true }, {}, [true, false, false]],
    ["a large image → all", 20_000, { isCompressed: true }, {}, [true, true, true]],
    ["a large text → none", 20_000, { isCompressed: false }, {}, [false, false, false]],
    ["a large image again → none", 20_000, { isCompressed: true }, { original }, [false, false, false]],
  ])("%s", async (_name, bodyBytes, rest, given, expected) => {
    const captured = exchange("http://a.example/i", Buffer.alloc(bodyBytes), rest);
    const records = await exchangeRecords(captured, { warcinfoId: "urn:uuid:i", newId: () => "n", ...given });
    expect(records.map(({ isStored }) => isStored)).toEqual(expected);
  });
});
