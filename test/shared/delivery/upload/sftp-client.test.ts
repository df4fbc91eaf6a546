import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SftpFiles, type SftpLogin, withSftp } from "../../../../shared/delivery/upload/sftp-client.ts";
import { type SftpServerForTests, serveSftp } from "./sftp-server.ts";

let server: SftpServerForTests;
beforeEach(async () => {
  server = await serveSftp();
});
afterEach(() => server.close());

const address = (more: object = {}) => ({
  host: "127.0.0.1",
  port: server.port,
  username: "ingather",
  hostKeyFingerprint: server.hostKeyFingerprint,
  ...more,
});

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const staged = async (files: SftpFiles) => {
  await files.write("Default/input/a.xml.tmp", pieces("<collection", "/>"));
  expect(await files.sizeOf("Default/input/a.xml.tmp")).toBe("<collection/>".length);
};

describe("withSftp", () => {
  it.each<[string, () => SftpLogin]>([
    ["a password", () => ({ password: server.password })],
    ["a private key", () => ({ privateKey: server.privateKey })],
  ])("%s → written, renamed, removed", async (_title, login) => {
    await withSftp(address(), login(), async (files) => {
      await staged(files);
      expect(await files.rename("Default/input/a.xml.tmp", "Default/input/a.xml")).toBeUndefined();
      expect(await files.sizeOf("Default/input/a.xml.tmp")).toBeUndefined();
      await files.write("Default/input/b.xml.tmp", pieces("x"));
      await files.remove("Default/input/b.xml.tmp");
    });
    expect([...server.files].map(([path, content]) => [path, content.toString()])).toEqual([
      ["Default/input/a.xml", "<collection/>"],
    ]);
  });

  it("nothing to rename, or another file in the way → refused", async () => {
    await withSftp(address(), { password: server.password }, async (files) => {
      expect(await files.rename("Default/input/gone.tmp", "Default/input/a.xml")).toMatchObject({
        message: expect.stringMatching(/renaming .*gone\.tmp.*No such file/),
      });
      await staged(files);
      server.files.set("Default/input/a.xml", Buffer.from("foreign"));
      expect(await files.rename("Default/input/a.xml.tmp", "Default/input/a.xml")).toMatchObject({
        name: "RemoteError",
        message: expect.stringMatching(/renaming .*a\.xml\.tmp/),
      });
    });
    expect(server.files.get("Default/input/a.xml")?.toString()).toBe("foreign");
  });

  it("the connection breaks off at the rename → no refusal: it may be renamed", async () => {
    server.breaksOff = true;
    const renamed = withSftp(address(), { password: server.password }, async (files) => {
      await staged(files);
      await files.rename("Default/input/a.xml.tmp", "Default/input/a.xml");
      throw new Error("taken for refused");
    });
    await expect(renamed).rejects.toMatchObject({ name: "RemoteError" });
    expect([...server.files.keys()]).toEqual(["Default/input/a.xml"]);
  });

  it("a folder that is not there → made", async () => {
    await withSftp(address(), { password: server.password }, (files) =>
      files.write("Default_Test/input/a.tmp", pieces("x")),
    );
    expect(server.files.has("Default_Test/input/a.tmp")).toBe(true);
  });

  it("another host key than expected → refused before the login, naming both", async () => {
    const wrong = `SHA256:${"A".repeat(43)}`;
    await expect(
      withSftp(address({ hostKeyFingerprint: wrong }), { password: server.password }, staged),
    ).rejects.toMatchObject({
      name: "RemoteError",
      message: expect.stringContaining(`is ${server.hostKeyFingerprint}, not ${wrong}`),
    });
    expect(server.done).toEqual([]);
  });

  it.each<[string, () => object, SftpLogin]>([
    ["a wrong password", () => ({}), { password: "guess" }],
    ["nobody listens", () => ({ port: 1 }), { password: "any" }],
  ])("%s → an error without the password", async (_title, more, login) => {
    const refused = withSftp(address(more()), login, staged);
    await expect(refused).rejects.toMatchObject({ name: "RemoteError" });
    await expect(refused).rejects.not.toThrow(String(login.password));
  });
});
