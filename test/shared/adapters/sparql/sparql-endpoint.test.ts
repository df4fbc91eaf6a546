import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createSparqlEndpoint,
  type SparqlEndpoint,
} from "../../../../shared/adapters/sparql/sparql-endpoint.ts";
import { listen } from "../../../listen.ts";

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

let server: Server;
let url: URL;
let reply: (incoming: IncomingMessage) => Answer;
let logins: (string | undefined)[];

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    logins.push(incoming.headers.authorization);
    const { status = 200, headers = {}, body = '{"boolean":true}' } = reply(incoming);
    incoming.resume().on("end", () => outgoing.writeHead(status, headers).end(body));
  });
  url = new URL("/store/query", await listen(server));
});

beforeEach(() => {
  logins = [];
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

async function using<T>(
  login: (() => Promise<{ user: string; password: string }>) | undefined,
  work: (endpoint: SparqlEndpoint) => Promise<T>,
): Promise<T> {
  const endpoint = createSparqlEndpoint({ queryUrl: url, login });
  try {
    return await work(endpoint);
  } finally {
    await endpoint.close();
  }
}

/** Accepts one password. */
const accepting = (password: () => string) => (incoming: IncomingMessage) =>
  incoming.headers.authorization === basic("ü:1", password()) ? {} : { status: 401, body: "" };

describe("the login", () => {
  it("is fetched once, and sent with queries and updates", async () => {
    reply = accepting(() => "pä:ss");
    let fetched = 0;
    const login = async () => {
      fetched += 1;
      return { user: "ü:1", password: "pä:ss" };
    };
    await using(login, async (endpoint) => {
      expect(await endpoint.ask("ASK {}")).toBe(true);
      await endpoint.update("CLEAR ALL");
    });
    expect(logins).toEqual([basic("ü:1", "pä:ss"), basic("ü:1", "pä:ss")]);
    expect(fetched).toBe(1);
  });

  it("is fetched again after a failure to fetch it", async () => {
    reply = accepting(() => "a");
    let fetched = 0;
    const login = async () => {
      fetched += 1;
      if (fetched === 1) throw new Error("throttled");
      return { user: "ü:1", password: "a" };
    };
    await using(login, async (endpoint) => {
      await expect(endpoint.ask("ASK {}")).rejects.toThrow("throttled");
      expect(await endpoint.ask("ASK {}")).toBe(true);
    });
    expect(logins).toEqual([basic("ü:1", "a")]);
  });

  it("is fetched again once when the password has changed", async () => {
    let password = "old";
    reply = accepting(() => password);
    await using(
      async () => ({ user: "ü:1", password }),
      async (endpoint) => {
        expect(await endpoint.ask("ASK {}")).toBe(true);
        password = "new";
        expect(await endpoint.ask("ASK {}")).toBe(true);
      },
    );
    expect(logins).toEqual(["old", "old", "new"].map((each) => basic("ü:1", each)));
  });

  it("that is refused at first is not tried again by the same call", async () => {
    reply = () => ({ status: 401, body: "" });
    await using(
      async () => ({ user: "a", password: "wrong" }),
      async (endpoint) => {
        await expect(endpoint.ask("ASK {}")).rejects.toThrow(/answered 401/);
      },
    );
    expect(logins.length).toBe(1);
  });

  it("is not sent when there is none", async () => {
    reply = () => ({});
    expect(await using(undefined, (endpoint) => endpoint.ask("ASK {}"))).toBe(true);
    expect(logins).toEqual([undefined]);
  });
});

it.each([301, 302, 307, 308])("a redirect by %i is not followed, and its target is named", async (status) => {
  reply = () => ({ status, headers: { location: "/elsewhere" }, body: "" });
  await using(
    async () => ({ user: "a", password: "b" }),
    async (endpoint) => {
      await expect(endpoint.ask("ASK {}")).rejects.toThrow(/redirected to \/elsewhere: configure that URL/);
    },
  );
  expect(logins.length).toBe(1);
});
