import { describe, expect, it } from "vitest";
import { archiveRecords } from "../../../../shared/snapshots/warc/archive-records.ts";

const warc = (uri: string, content: string) =>
  `WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: ${uri}\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}\r\n\r\n`;
const arc = (uri: string, content: string) =>
  `${uri} 1.2.3.4 20200101000000 text/plain ${Buffer.byteLength(content)}\n${content}\n`;

async function read(text: string, chunkBytes: number): Promise<[string, string][]> {
  const bytes = Buffer.from(text);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  })();
  const records: [string, string][] = [];
  for await (const { uri, content } of archiveRecords(chunks)) {
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(Buffer.from(part));
    records.push([uri, Buffer.concat(parts).toString()]);
  }
  return records;
}

describe("archiveRecords", () => {
  const contents: [string, string][] = [
    ["metadata://a/1", "one\r\n\r\nWARC/1.1\r\n"],
    ["metadata://a/2", ""],
    ["http://a.example/ü", "zwölf"],
  ];
  it.each([
    ["WARC", warc],
    ["ARC", arc],
  ])("%s, in chunks of any size → each record whole", async (_format, write) => {
    const text = contents.map(([uri, content]) => write(uri, content)).join("");
    for (const chunkBytes of [1, 2, 7, 1000]) expect(await read(text, chunkBytes)).toEqual(contents);
  });

  it("named fields → by name in lower case, of WARC only", async () => {
    const typesIn = async (text: string) => {
      const types: unknown[] = [];
      const chunks = (async function* () {
        yield Buffer.from(text);
      })();
      for await (const { fields } of archiveRecords(chunks)) types.push(fields.get("warc-type"));
      return types;
    };
    expect(await typesIn(warc("a:", "x") + warc("b:", "y"))).toEqual(["resource", "resource"]);
    expect(await typesIn(arc("a:", "x"))).toEqual([undefined]);
  });

  it("URIs in angle brackets, as WARC 1.0 had them → without them", async () => {
    expect(await read(warc("<http://a.example/>", "x"), 100)).toEqual([["http://a.example/", "x"]]);
  });

  it.each([
    ["cut off in a record", warc("a:", "twelve bytes").slice(0, -8), "the record a: is cut off"],
    ["no length", "WARC/1.1\r\nWARC-Type: x\r\n\r\n", "no Content-Length"],
    ["a text", "hello\n", "neither ARC nor WARC"],
  ])("%s → said so", async (_title, text, problem) => {
    await expect(read(text, 100)).rejects.toThrow(problem);
  });

  it("a record whose content nobody reads → the next one is found", async () => {
    const bytes = Buffer.from(contents.map(([uri, content]) => warc(uri, content)).join(""));
    const uris: string[] = [];
    for await (const { uri } of archiveRecords(
      (async function* () {
        yield bytes;
      })(),
    ))
      uris.push(uri);
    expect(uris).toEqual(contents.map(([uri]) => uri));
  });
});
