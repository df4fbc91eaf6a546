import { describe, expect, it } from "vitest";
import {
  type CapturedAnswer,
  capturedAnswer,
  logOfAnswer,
  logOfFailure,
  originalOf,
  originalOfAnswer,
} from "../../../../shared/snapshots/capture/capture-outcome.ts";
import type { IndexEntry } from "../../../../shared/snapshots/index/index-entry.ts";
import { exchangeRecords } from "../../../../shared/snapshots/warc/exchange-records.ts";
import { warcinfoIdOf } from "../../../../shared/snapshots/warc/record-ids.ts";
import { bodyOfCapture } from "../../../../shared/web/exchange/captured-body.ts";
import type { CaptureFacts } from "../../../../shared/web/exchange/exchange.ts";
import type { InboundResponse } from "../../../../shared/web/request/response.ts";

const url = "http://a.example/";
const sha1 = "2ef7bde608ce5404e97d5f042f95f89f1c232871";

function answer(status: number, capture: Partial<CaptureFacts> = {}, headers = {}): CapturedAnswer {
  const facts = { startedAt: "2026-01-02T03:04:05.678Z", requestHead: "GET / HTTP/1.1", headBytes: 10, sha1 };
  const response = {
    outcome: {
      type: "answered",
      status,
      headers: { "content-type": "image/png", ...headers },
      elapsedMs: 5,
      bodyKey: "key",
      stored: {
        sizeBytes: 15,
        sha256: "",
        capture: { ...facts, payloadBytes: 5, payloadSha1: sha1, ...capture },
      },
    },
  } as unknown as InboundResponse;
  return capturedAnswer({ url, hops: "" }, response.outcome, () => []) as CapturedAnswer;
}

const original: IndexEntry = {
  url,
  date: "20250101000000000",
  digest: "",
  origin: "a.warc.gz,1",
};

describe("the original of an answer", () => {
  it.each<[string, CapturedAnswer, boolean]>([
    ["a whole response", answer(200), true],
    ["an empty body", answer(200, { payloadBytes: 0 }), false],
    ["one that was cut off", answer(200, { truncated: "disconnect" }), false],
    ["a part of a resource", answer(206), false],
    ["304, which nobody has asked for", answer(304), false],
    ["a redirect", answer(301), false],
    ["a soft error page", answer(404), false],
  ])("%s", async (_title, given, isLookedUp) => {
    const asked: string[][] = [];
    const found = await originalOfAnswer(given, async (...key) => {
      asked.push(key);
      return original;
    });
    expect(asked).toEqual(isLookedUp ? [[url, "F3333ZQIZZKAJ2L5L4CC7FPYT4OCGKDR"]] : []);
    expect(found).toBe(isLookedUp ? original : undefined);
  });

  it("a lookup that fails → none", async () => {
    expect(await originalOfAnswer(answer(200), () => Promise.reject(new Error("S3")))).toBeUndefined();
  });

  it("an empty body → no payload digest, and none in the log", () => {
    const empty = answer(200, { payloadBytes: 0 });
    expect(empty.exchange).not.toHaveProperty("payloadDigest");
    expect(logOfAnswer(empty)).not.toHaveProperty("digest");
  });
});

describe("what a revisit refers to", () => {
  const payloadDigest = "sha1:F3333ZQIZZKAJ2L5L4CC7FPYT4OCGKDR";
  const refersTo = (origin: string) => originalOf({ ...original, origin }, { payloadDigest }).recordId;

  it.each(["INGATHER-20261201000000123-00000.warc.gz", "INGATHER-7-20261201000000-00001.warc.gz"])(
    "an original in %s → the id that its record has there",
    async (file) => {
      const captured = { ...answer(200).exchange, startedAt: new Date("2025-01-01T00:00:00.789Z") };
      const [response] = await exchangeRecords(captured, {
        warcinfoId: warcinfoIdOf(file),
        newId: () => "another",
      });
      expect(refersTo(`${file},42,20250101000000000`)).toBe(response?.id);
      expect(response?.id).toMatch(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  );

  it.each(["NAS-20261201000000-00000.warc.gz", "INGATHER-20261101000000123-00000.warc.gz"])(
    "an original in %s, whose ids nobody can know → URL and date alone",
    (file) => {
      expect(refersTo(`${file},42`)).toBeUndefined();
    },
  );
});

describe("what is compressed already", () => {
  it.each([
    ["image/png", {}, true],
    ["video/mp4", {}, true],
    ["image/svg+xml", {}, false],
    ["text/html", {}, false],
    ["text/html", { "content-encoding": "gzip" }, true],
    ["audio/wav", {}, false],
  ])("%s %j → %s", (type, headers, expected) => {
    expect(answer(200, {}, { "content-type": type, ...headers }).exchange.isCompressed).toBe(expected);
  });
});

describe("logOfAnswer", () => {
  it.each([
    ["length", "lenTrunc"],
    ["time", "timeTrunc"],
    ["disconnect", "disconnectTrunc"],
  ] as const)("truncated by %s → %s", (truncated, annotation) => {
    expect(logOfAnswer(answer(200, { truncated })).annotations).toEqual([annotation]);
  });

  it("a repeated capture → its original", () => {
    expect(logOfAnswer(answer(200), { origin: "f,1" }).annotations).toEqual(['duplicate:"f,1"']);
  });

  it("links that were not read → how many, or that there are some", () => {
    const unread = (dropped: number, isCut: boolean) =>
      logOfAnswer(answer(200), { unread: { dropped, isCut } }).annotations;
    expect(unread(12, false)).toEqual(["linksDropped:12"]);
    expect(unread(0, true)).toEqual(["linksCut"]);
    expect(unread(0, false)).toEqual([]);
  });
});

describe("logOfFailure", () => {
  it.each([
    ["failed", "dns", -1],
    ["failed", "connect", -2],
    ["failed", "tls", -2],
    ["failed", "reset", -3],
    ["failed", "timeout", -4],
    ["refused", "bad-url", -7],
    ["failed", "unavailable", -8],
    ["refused", "robots-unreachable", -61],
    ["refused", "address", -5000],
    ["refused", "too-late", -5004],
    ["refused", "robots", -9998],
  ] as const)("%s by %s → %i", (type, reason, status) => {
    const outcome = { type, reason, detail: "", attempts: 2 } as never;
    const { status: logged, annotations } = logOfFailure({ url, hops: "" }, outcome, new Date(0));
    expect(logged).toBe(status);
    expect(annotations).toEqual(type === "failed" ? ["2t"] : []);
  });
});

describe("bodyOfCapture", () => {
  const capture = (text: string) =>
    bodyOfCapture(Buffer.from(text)).then((body) => Buffer.from(body).toString());
  it.each([
    ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"],
    ["HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"],
    ["HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"],
  ])("%j → hello", async (text) => {
    expect(await capture(text)).toBe("hello");
  });

  it("what is not an answer → nothing", async () => {
    expect(await capture("SSH-2.0")).toBe("");
  });
});
