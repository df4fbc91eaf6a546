import { expect, it } from "vitest";
import { seededRandom } from "../../../../../local/cloud/seeded-random.ts";
import { ByteView, ByteWriter } from "../../../../../shared/snapshots/index/lines/byte-view.ts";
import { headerBytes, writeHeader } from "../../../../../shared/snapshots/index/lines/capture-record.ts";
import { orderEntries } from "../../../../../shared/snapshots/index/shards/order-entries.ts";

const random = seededRandom(15);
const below = (limit: number) => Math.floor(random() * limit);

/** Records of fetched URLs. */
function recordsOf(entries: readonly { url: Buffer; rest: string }[]) {
  const writer = new ByteWriter();
  const fetched = entries.map(({ url, rest }) => {
    const record = writer.at;
    const length = headerBytes + url.length + rest.length;
    writer.makeRoom(length);
    const sizes = { urlBytes: url.length, firstBytes: rest.indexOf(" "), restBytes: rest.length };
    writeHeader(writer.target, record, { hash: 0, kind: 0, sizes });
    writer.at += headerBytes;
    const content = new ByteView(Buffer.concat([url, Buffer.from(rest)]));
    writer.put(content, 0, content.bytes.length);
    return record;
  });
  return { records: writer.target, fetched: Int32Array.from(fetched) };
}

const rest = (digest = "D", date = "20200101000000000") => `${digest} ${date} `;

it.each<[string, Buffer[]]>([
  [
    "beginnings of each other",
    ["", "a", "ab", "abcdef", "abcdefg", "abcdefghijkl"].map((url) => Buffer.from(url)),
  ],
  [
    "zero bytes",
    [[97], [97, 0], [97, 0, 0], [97, 0, 0, 0, 0, 0, 0], [0], [97, 1]].map((url) => Buffer.from(url)),
  ],
  ["bytes beyond ASCII", ["é", "e", "z", "\\u{1F600}", "~"].map((url) => Buffer.from(url))],
  [
    "3,000 at random, many of them alike",
    Array.from({ length: 3000 }, () =>
      Buffer.from(Array.from({ length: below(30) }, () => (below(9) === 0 ? below(256) : 97 + below(2)))),
    ),
  ],
  ["in order already", Array.from({ length: 3000 }, (_, n) => Buffer.from(`http://a.example/${1e6 + n}`))],
  [
    "long beginnings that are alike",
    Array.from({ length: 99 }, (_, n) => Buffer.from(`${"x".repeat(5_000)}${n % 7}${"y".repeat(n)}`)),
  ],
])("URLs with %s → in the order of their bytes", (_title, urls) => {
  const mixed = urls.map((url) => ({ url, by: random() })).toSorted((a, b) => a.by - b.by);
  const entries = mixed.map(({ url }) => ({ url, rest: rest() }));
  const ordered = [...orderEntries(recordsOf(entries))].map((entry) => entries[entry]?.url);
  expect(ordered).toEqual(urls.toSorted(Buffer.compare));
});

it("entries of one URL → by date, then by digest", () => {
  const url = Buffer.from("http://a.example/");
  const later = "20210101000000000";
  const entries = [rest("B", later), rest("A", later), rest("C"), rest("AB"), rest("A")].map((text) => ({
    url,
    rest: text,
  }));
  expect([...orderEntries(recordsOf(entries))]).toEqual([4, 3, 2, 1, 0]);
});
