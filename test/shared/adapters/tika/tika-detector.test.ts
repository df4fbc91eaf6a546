import { afterEach, expect, it } from "vitest";
import { createTikaDetector, type TikaDetector } from "../../../../shared/adapters/tika/tika-detector.ts";
import type { Detection } from "../../../../shared/formats/language/detect-language.ts";
import { type RawServer, serveRaw } from "../../web/servers.ts";

let server: RawServer;
let tika: TikaDetector;

afterEach(async () => {
  await tika.close();
  await server.close();
});

async function openServer(status: string, body: string, path = ""): Promise<void> {
  server = await serveRaw((socket) =>
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  tika = createTikaDetector(new URL(server.origin + path));
}

it.for<[status: string, body: string, Detection]>([
  ["200 OK", "de", { type: "detected", code: "de" }],
  ["200 OK", "zh-CN\n", { type: "detected", code: "zh-CN" }],
  ["200 OK", "unknown", { type: "unknown" }],
  ["500 Oops", "de", { type: "failed", reason: "the Tika server answered 500" }],
  [
    "200 OK",
    "<html>",
    { type: "failed", reason: 'the Tika server answered "<html>", which is not a language code' },
  ],
])("a server that answers %s, %j → %j", async ([status, body, detection]) => {
  await openServer(status, body);
  expect(await tika.detect("Über die Bienen", [])).toEqual(detection);
});

it("a server with an empty answer → the embedded detector's answer", async () => {
  await openServer("200 OK", "");
  const text = "Über die Bienen und ihre Bedeutung für die Landwirtschaft";
  expect(await tika.detect(text, ["ger"])).toEqual({ type: "detected", code: "de" });
});

it.for(["", "/", "/tika/"])("a server at %j → asked with PUT for the language of a string", async (path) => {
  await openServer("200 OK", "de", path);
  await tika.detect("Über die Bienen", []);
  const [request = ""] = server.requests;
  expect(request).toMatch(`PUT ${path.replace(/\/$/, "")}/language/string HTTP/1.1`);
  expect(request).toMatch(/content-type: text\/plain; charset=utf-8/);
});

it("a server that is gone → a failure, and no error", async () => {
  await openServer("200 OK", "de");
  await server.close();
  expect(await tika.detect("Über die Bienen", [])).toMatchObject({
    type: "failed",
    reason: expect.stringContaining("gave no response (connect)"),
  });
});
