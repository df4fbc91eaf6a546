import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import yazl from "yazl";
import { writeIso2709 } from "../../shared/marc/iso2709-writer.ts";
import { writeMarcXml } from "../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../shared/marc/record.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const dc = (title: string) =>
  '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
  `<dc:title>${title}</dc:title><dc:creator>Doe, Jane</dc:creator><dc:date>2026</dc:date><dc:type>article</dc:type>` +
  `<dc:identifier>https://theses.example/${title.length}</dc:identifier></oai_dc:dc>`;
function isoBytes(record: MarcRecord): Uint8Array {
  const written = writeIso2709(record);
  if (written.type !== "written") throw new Error("the record is too long");
  return written.bytes;
}

const pdf = Buffer.from("%PDF-1.7 a thesis");

it("uploads → documents, items and records, each with its outcome; the next delivery takes them once", async () => {
  const cloud = await testCloud(stateFolder());
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { demoPapersSource } = await import("../../local/start/seed.ts");
  const { source } = await import("../../shared/records/sources/source.ts");
  const demo = demoPapersSource("https://theses.example/");
  await storeConfiguration([
    source.parse({ ...demo, sourceId: "theses", type: "UPLOAD", deliveryMode: "LIVE", reading: undefined }),
  ]);

  const call = async (method: string, path: string, routeKey: string, body?: object) => {
    const [rawPath = "", rawQueryString = ""] = path.split("?");
    const answer = (await cloud.invoke("ingather-operator-api", {
      version: "2.0",
      routeKey,
      rawPath,
      rawQueryString,
      headers: { "content-type": "application/json" },
      requestContext: {
        http: { method, path: rawPath },
        authorizer: { jwt: { claims: { sub: "operator@localhost", "cognito:groups": "[operator]" } } },
      },
      ...(body && { body: JSON.stringify(body) }),
      isBase64Encoded: false,
    })) as { statusCode: number; body: string; headers: Record<string, string> };
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body ? JSON.parse(answer.body) : {},
    };
  };
  const upload = async (body: object, content: (name: string) => Buffer | undefined) => {
    const started = await call("POST", "/documents", "POST /documents", body);
    expect(started).toMatchObject({ status: 202, body: { status: expect.any(String) } });
    const { uploadId, files } = started.body;
    const path = `/documents/uploads/${uploadId}`;
    for (const { name, url } of files) {
      const bytes = content(name);
      if (bytes === undefined) continue;
      // As `curl --data-binary` sends it; moto, unlike S3, would take it for a form.
      const isMoto = process.env.EMULATOR === "moto";
      const headers: Record<string, string> = isMoto
        ? {}
        : { "content-type": "application/x-www-form-urlencoded" };
      const put = await fetch(url, {
        method: "PUT",
        headers,
        body: new Uint8Array(bytes),
      });
      expect([put.status, await put.text()]).toEqual([200, ""]);
    }
    if (files.length > 0) {
      expect(await call("GET", path, "GET /documents/uploads/{id}")).toMatchObject({ status: 202 });
      await call("POST", `${path}/complete`, "POST /documents/uploads/{id}/complete");
    }
    await cloud.waitUntilIdle();
    // The same message again.
    await messageQueue("documentUploadsQueue").send({ uploadId });
    await cloud.waitUntilIdle();
    return (await call("GET", `${path}?limit=100`, "GET /documents/uploads/{id}")).body;
  };

  const documents = [
    {
      identifier: "a",
      format: "oai_dc",
      metadata: dc("On tides"),
      files: [{ name: "a.pdf" }, { name: "gone.pdf" }],
    },
    { identifier: "b", format: "oai_dc", metadata: "<broken>" },
    { identifier: "c", format: "other", metadata: "kept as it is", files: [{ name: "c.pdf" }] },
  ];
  const page = Buffer.from("<!doctype html><title>Log in</title>");
  const sent = (name: string) => ({ "a.pdf": pdf, "c.pdf": page })[name];
  const first = await upload({ sourceId: "theses", content: "documents", documents }, sent);
  expect(first).toMatchObject({ status: "done", counts: { documents: 3, files: 3, refused: 3 } });
  expect(first.outcomes).toMatchObject([
    { name: "a", outcome: "new", record: "converted" },
    { type: "file", name: "a.pdf", outcome: "new" },
    { name: "gone.pdf", outcome: "refused", reason: "it was not uploaded" },
    { name: "b", outcome: "refused", reason: expect.stringMatching(/^metadata: /) },
    { name: "c", outcome: "new" },
    { name: "c.pdf", outcome: "refused", reason: "it is a web page, not a file" },
  ]);

  const zip = new yazl.ZipFile();
  const manifest = {
    documents: [
      { identifier: "a", format: "oai_dc", metadata: "a.xml", files: [{ name: "a.pdf" }] },
      { identifier: "z", format: "oai_dc", metadata: "z.xml", files: [{ name: "none.pdf" }] },
      { identifier: "y", format: "unknown", metadata: "z.xml" },
    ],
  };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), "manifest.json");
  zip.addBuffer(Buffer.from(dc("On tides")), "a.xml");
  zip.addBuffer(Buffer.from(dc("On ebb and flow")), "z.xml");
  zip.addBuffer(pdf, "a.pdf");
  zip.addBuffer(pdf, "more.pdf");
  zip.addBuffer(Buffer.from("PK"), "inner.zip");
  zip.end();
  const bytes = await buffer(zip.outputStream);
  const second = await upload({ sourceId: "theses", content: "zip" }, () => bytes);
  expect(second.outcomes).toMatchObject([
    { name: "inner.zip", outcome: "refused", reason: "it is a nested archive" },
    { name: "y", outcome: "refused", reason: expect.stringMatching(/^format: /) },
    { name: "a", outcome: "unchanged" },
    { name: "a.pdf", outcome: "unchanged" },
    { name: "z", outcome: "new", record: "converted" },
    { name: "none.pdf", outcome: "refused", reason: "it is missing from the archive" },
    { name: "more.pdf", outcome: "refused", reason: "manifest.json does not name it" },
  ]);

  const marc = (number: string | undefined, title: string): MarcRecord => ({
    leader: "00000nab a2200000 c 4500",
    control: number === undefined ? [] : [["001", number]],
    fields: [["245", "00", [["a", title]]]],
  });
  const records = [marc("m1", "Without page"), marc(undefined, "Without number"), marc("m2", "Neither")];
  const third = await upload({ sourceId: "theses", content: "marcxml" }, () =>
    Buffer.from(writeMarcXml(records)),
  );
  expect(third.outcomes).toMatchObject([
    { name: "m1", outcome: "new", record: "converted" },
    { name: "record 2", outcome: "refused", reason: "001: is missing" },
    { name: "m2", outcome: "new", record: "converted" },
  ]);
  const iso = Buffer.concat([...records.map(isoBytes), Buffer.from("99999")]);
  const fourth = await upload({ sourceId: "theses", content: "iso2709" }, () => iso);
  expect(fourth.outcomes).toMatchObject([
    { name: "m1", outcome: "unchanged" },
    { name: "record 2", outcome: "refused" },
    { name: "m2", outcome: "unchanged" },
    { name: "record 4", outcome: "refused", reason: expect.stringMatching(/ends inside the record/) },
  ]);

  const { documentId, itemId } = first.outcomes[1];
  const file = await call(
    "GET",
    `/sources/theses/documents/${documentId}/items/${itemId}/file`,
    "GET /sources/{id}/documents/{documentId}/items/{itemId}/file",
  );
  expect(file.status).toBe(302);
  const location = file.headers.location ?? "";
  expect(Buffer.from(await (await fetch(location)).arrayBuffer())).toEqual(pdf);
  const otherBucket = location.replace("/ingather-files-", "/ingather-received-mail-");
  expect((await fetch(otherBucket)).status).toBe(403);
  const expired = location.replace(/X-Amz-Date=\d{8}/, "X-Amz-Date=20200101");
  expect(await (await fetch(expired)).text()).toContain("Request has expired");

  await messageQueue("runStartsQueue").send({ deliveryMode: "LIVE", scheduledTime: "2026-11-22T20:00:00Z" });
  await cloud.waitUntilIdle();
  const { body } = await call("GET", "/deliveries", "GET /deliveries");
  expect(body).toMatchObject({ deliveries: [{ records: 4 }] });
});
