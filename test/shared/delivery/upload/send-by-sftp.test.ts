import { beforeEach, describe, expect, it } from "vitest";
import { RemoteError } from "../../../../shared/core/errors.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { harvested, ordinary, runStage } from "../run-world.ts";

const fileName = "Test_zotero_261120_001.xml";
const destination = {
  type: "SFTP" as const,
  host: "receiver.example",
  username: "ingather",
  hostKeyFingerprint: `SHA256:${"A".repeat(43)}`,
};
const refusal = new RemoteError("sftp://receiver.example:22: no");

let ports: MemoryPorts;
beforeEach(async () => {
  ports = new MemoryPorts();
  harvested(ports, "run", ordinary.slice(0, 2), { group: { destination } });
  await runStage("validate", { runId: "run" }, ports);
});

const upload = () => runStage("upload", { runId: "run" }, ports);
const receivedNames = () => ports.received.map(([path]) => path);

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
    const [temporary] = ports.remote.keys();
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
    expect(ports.sendings.get(fileName)).toMatchObject({ temporary, renameSent: true });
  });

  it("a rename refused, the .tmp cleaned away by the receiver → sent again under the same name", async () => {
    await refused();
    ports.remote.clear();
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
  });

  it("a rename refused, the group moved to another receiver → sent there", async () => {
    await refused();
    ports.remote.clear();
    ports.addGroup("Test", { destination: { ...destination, host: "other.example" } });
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
    expect(ports.sendings.get(fileName)?.place).toMatchObject({ host: "other.example" });
  });

  it.each<[string, object, string[]]>([
    ["a rename was sent, no .tmp is left → delivered, taken away by the receiver", { renameSent: true }, []],
    ["no rename was sent, no .tmp is left → sent", {}, [`Default/input/${fileName}`]],
  ])("%s", async (_title, sent, received) => {
    const place = { host: "receiver.example", port: 22, folder: "Default/input" };
    ports.sendings.set(fileName, { place, temporary: "Default/input/gone.tmp", sizeBytes: 1, ...sent });
    await upload();
    expect(receivedNames()).toEqual(received);
  });

  it("a part of an earlier try lies at the receiver → taken away before the file is written", async () => {
    const place = { host: "receiver.example", port: 22, folder: "Default/input" };
    ports.sendings.set(fileName, { place, temporary: "Default/input/part.tmp" });
    ports.remote.set("Default/input/part.tmp", Buffer.from("<coll"));
    await upload();
    expect(receivedNames()).toEqual([`Default/input/${fileName}`]);
    expect([...ports.remote.keys()]).toEqual([]);
  });
});
