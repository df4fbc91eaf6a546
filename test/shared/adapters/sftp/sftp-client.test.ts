import { once } from "node:events";
import { type AddressInfo, createServer, connect as open, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type SftpFiles, type SftpLogin, withSftp } from "../../../../shared/adapters/sftp/sftp-client.ts";
import { type SftpServerForTests, serveSftp } from "../../deliver/upload/sftp-server.ts";

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

  it.each<[string, (files: SftpFiles) => Promise<unknown>, string[]]>([
    [
      "rename",
      (files) => files.rename("Default/input/a.xml.tmp", "Default/input/a.xml"),
      ["Default/input/a.xml"],
    ],
    ["removal", (files) => files.remove("Default/input/a.xml.tmp"), []],
  ])(
    "the connection breaks off at the %s → reported as lost, not as refused: it may be done",
    async (_what, work, left) => {
      server.breaksOff = true;
      const done = withSftp(address(), { password: server.password }, async (files) => {
        await staged(files);
        await work(files);
        throw new Error("taken for refused");
      });
      await expect(done).rejects.toMatchObject({
        name: "RemoteError",
        message: expect.stringMatching(
          / Default\/input\/a\.xml\.tmp.*: the connection was lost before it was answered$/,
        ),
      });
      expect([...server.files.keys()]).toEqual(left);
    },
  );

  it.each(["works", "was-others"] as const)(
    "folders that are not there, making them %s → there",
    async (making) => {
      server.making = making;
      await withSftp(address(), { password: server.password }, (files) =>
        files.write("Default_Test/input/a.tmp", pieces("x")),
      );
      expect(server.files.has("Default_Test/input/a.tmp")).toBe(true);
    },
  );

  it("folders that the receiver does not create → an error that names them", async () => {
    server.making = "refused";
    const refused = withSftp(address(), { password: server.password }, (files) =>
      files.write("Default_Test/input/a.tmp", pieces("x")),
    );
    await expect(refused).rejects.toMatchObject({
      name: "RemoteError",
      message: expect.stringMatching(/making Default_Test\/input: /),
    });
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

describe("a receiver that stops answering", () => {
  let line: { port: number; fallSilent(): void; close(): void };
  beforeEach(async () => {
    line = await silenceable(server.port);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
    line.close();
  });

  it.each<[string, (files: SftpFiles) => Promise<unknown>, object]>([
    [
      "before it has answered → an error, not waited for without end",
      (files) => files.sizeOf("Default/input/a.xml.tmp"),
      { name: "RemoteError", message: expect.stringContaining("looking for Default/input/a.xml.tmp") },
    ],
    ["when all is done → done", async () => undefined, { done: true }],
  ])("%s", async (_title, last, expected) => {
    let isSilent = false;
    const outcome = withSftp(address({ port: line.port }), { password: server.password }, async (files) => {
      await staged(files);
      line.fallSilent();
      isSilent = true;
      await last(files);
    }).then(
      () => ({ done: true }),
      (error) => error,
    );
    let isOver = false;
    void outcome.then(() => {
      isOver = true;
    });
    for (let seconds = 0; !isOver && seconds < 600; seconds += isSilent ? 1 : 0) {
      if (isSilent) vi.advanceTimersByTime(1000);
      await turn();
    }
    expect(isOver).toBe(true);
    expect(await outcome).toMatchObject(expected);
  });
});

/** A way to a server on which nothing moves any more when it falls silent, and nobody says so. */
async function silenceable(port: number) {
  const sockets: Socket[] = [];
  const way = createServer({ allowHalfOpen: true }, (near) => {
    const far = open(port, "127.0.0.1");
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on("error", () => {});
    near.pipe(far).pipe(near);
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  return {
    port: (way.address() as AddressInfo).port,
    fallSilent() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      way.close();
    },
  };
}
