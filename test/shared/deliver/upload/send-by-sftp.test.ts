import { beforeEach, describe, expect, it } from "vitest";
import { RemoteError } from "../../../../shared/core/errors.ts";
import { uploadedFiles } from "../../../../shared/deliver/upload/uploaded-files.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { harvested, ordinary, runStage, sftpDestination } from "../run-world.ts";

const fileName = "Test_zotero_261120_001.xml";
const refusal = new RemoteError("sftp://receiver.example:22: no");

let ports: MemoryPorts;
async function begin(): Promise<void> {
  ports = new MemoryPorts();
  harvested(ports, "run", ordinary.slice(0, 2), { group: { destination: sftpDestination } });
  await runStage("validate", { runId: "run" }, ports);
}
beforeEach(begin);

const upload = () => runStage("upload", { runId: "run" }, ports);
const receivedNames = () => ports.received.map(([path]) => path);

/** What is remarked on of the files that are out. */
async function reportedRemarks(): Promise<string[]> {
  const { files } = await uploadedFiles("run", ports.runs);
  return files.flatMap(({ remarks = [] }) => remarks);
}

/** Another try, when whoever was killed holds the upload no more. */
function uploadNextDay() {
  ports.now = new Date(ports.now.getTime() + 86_400_000);
  return upload();
}

/** An upload whose rename the receiver refuses. */
async function refused(): Promise<void> {
  ports.refusal = refusal;
  await expect(upload()).rejects.toThrow(refusal.message);
  expect(receivedNames()).toEqual([]);
  ports.refusal = undefined;
}

describe("sendBySftp", () => {
  it("a rename refused → renamed by the next try, not written again", async () => {
    await refused();
    const [temporaryPath] = ports.remote.keys();
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
    expect(ports.transfers.get(fileName)).toMatchObject({ temporaryPath, renameSent: true });
  });

  it("a rename refused, the .tmp removed by the receiver → sent again under the same name", async () => {
    await refused();
    ports.remote.clear();
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
  });

  const left = (what: string) => new RegExp(`^sftp://${what}\\.[0-9a-f]{8}\\.tmp .*manually`);

  it.each<[string, object, string, RegExp[], number]>([
    [
      "another receiver",
      { ...sftpDestination, host: "other.example" },
      "Default/input",
      [left(`receiver.example:22/Default/input/${fileName}`)],
      1,
    ],
    ["another folder of the receiver", { ...sftpDestination, liveFolder: "/in" }, "/in", [], 0],
    ["the bucket alone", { type: "S3" }, "", [left(`receiver.example:22/Default/input/${fileName}`)], 1],
  ])(
    "a rename refused, the group moved to %s → delivered there, its .tmp cleared away or reported",
    async (_where, moved, folder, remarks, left) => {
      await refused();
      ports.addGroup("Test", { destination: moved as typeof sftpDestination });
      await upload();
      expect(receivedNames()).toEqual(folder === "" ? [] : [`${folder}/${fileName}`]);
      expect(ports.remote.size).toBe(left);
      expect(await reportedRemarks()).toEqual(remarks.map((remark) => expect.stringMatching(remark)));
    },
  );

  it("the group moved during a rename → a remark that the file may be there, too", async () => {
    const location = { host: "receiver.example", port: 22, folder: "Default/input" };
    const temporaryPath = `Default/input/${fileName}.0badcafe.tmp`;
    ports.transfers.set(fileName, { location, temporaryPath, sizeBytes: 1, renameSent: true });
    ports.addGroup("Test", { destination: { ...sftpDestination, liveFolder: "in" } });
    await upload();
    expect(receivedNames()).toEqual([`in/${fileName}`]);
    expect(await reportedRemarks()).toEqual([expect.stringContaining("may have been received there, too")]);
  });

  it("the .tmp of an earlier try may not be removed → delivered, and reported", async () => {
    const location = { host: "receiver.example", port: 22, folder: "Default/input" };
    ports.transfers.set(fileName, { location, temporaryPath: "Default/input/part.tmp" });
    ports.remote.set("Default/input/part.tmp", Buffer.from("<coll"));
    ports.clearingRefusal = refusal;
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
    expect(await reportedRemarks()).toEqual([
      "sftp://receiver.example:22/Default/input/part.tmp was left by an earlier attempt: remove it manually: sftp://receiver.example:22: no",
    ]);
  });

  it("the .tmp is removed before it is renamed → not delivered, sent again", async () => {
    ports.clearsAway = true;
    await expect(upload()).rejects.toThrow("no such file");
    ports.clearsAway = false;
    expect(receivedNames()).toEqual([]);
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
    expect(await reportedRemarks()).toEqual([]);
  });

  it("a rename refused, or the group moved, and killed at any write of that → received once, in one place", async () => {
    let kills = 0;
    for (const moves of [false, true]) {
      for (const before of [true, false]) {
        for (let writes = 0; ; writes += 1) {
          await begin();
          await refused();
          if (moves) ports.addGroup("Test", { destination: { ...sftpDestination, liveFolder: "in" } });
          else ports.refusal = refusal;
          ports.dieAfter(writes, { before });
          const died = await upload().then(
            () => false,
            (error) => error instanceof Killed,
          );
          ports.live();
          ports.refusal = undefined;
          await uploadNextDay();
          const when = `${moves ? "moved" : "refused"}, killed ${before ? "before" : "after"} write ${writes}`;
          expect(receivedNames(), when).toEqual([`${moves ? "in" : "Default/input"}/${fileName}`]);
          expect([...ports.remote.keys()], when).toEqual([]);
          if (!died) break;
          kills += 1;
        }
      }
    }
    expect(kills).toBeGreaterThan(20);
  });

  it.each<[string, object, string[], string[]]>([
    [
      "a rename was sent, no .tmp is left → delivered, taken away by the receiver, which is remarked on",
      { renameSent: true },
      [],
      ["sftp://receiver.example:22/Default/input/Test_zotero_261120_001.xml was not found"],
    ],
    ["no rename was sent, no .tmp is left → sent", {}, [`Default/input/${fileName}`], []],
  ])("%s", async (_title, sent, received, remarks) => {
    const location = { host: "receiver.example", port: 22, folder: "Default/input" };
    ports.transfers.set(fileName, {
      location,
      temporaryPath: "Default/input/gone.tmp",
      sizeBytes: 1,
      ...sent,
    });
    await upload();
    expect(receivedNames()).toEqual(received);
    expect(await reportedRemarks()).toEqual(remarks.map((remark) => expect.stringContaining(remark)));
  });

  it("a rename was sent, the file has its final name → delivered without a remark", async () => {
    const location = { host: "receiver.example", port: 22, folder: "Default/input" };
    await upload();
    const [[final, whole] = ["", new Uint8Array()]] = ports.received;
    await begin();
    const sizeBytes = whole.byteLength;
    ports.transfers.set(fileName, {
      location,
      temporaryPath: "Default/input/gone.tmp",
      sizeBytes,
      renameSent: true,
    });
    ports.remote.set(final, whole);
    await upload();
    expect(receivedNames()).toEqual([]);
    expect(await reportedRemarks()).toEqual([]);
  });

  it("an incomplete file of an earlier try at the receiver → removed before the file is written", async () => {
    const location = { host: "receiver.example", port: 22, folder: "Default/input" };
    ports.transfers.set(fileName, { location, temporaryPath: "Default/input/part.tmp" });
    ports.remote.set("Default/input/part.tmp", Buffer.from("<coll"));
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
    expect([...ports.remote.keys()]).toEqual([]);
  });
});
