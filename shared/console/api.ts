import type { Answer, AnswerBodies, CallParameters, Operation, PathOf } from "../api/route-table.ts";

/** A request to the API. */
interface ApiRequest {
  method: string;
  /** With its query. */
  path: string;
  body?: string;
  headers: Record<string, string>;
}

interface ApiResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Sends one request to the API.
 * @throws PlatformError when the API does not answer
 */
export type SendToApi = (request: ApiRequest) => Promise<ApiResponse>;

/** The problem that the API answered. */
export interface ApiProblem {
  status: number;
  detail: string;
  field?: string | undefined;
  value?: unknown;
  /** What is wrong in a text that was sent, line by line. */
  problems?: { line: number; message: string }[];
}

/** What a call has given: the answer of its route with one of its statuses, or a problem. */
export type ApiResult<Called extends Operation> =
  | {
      [Status in keyof AnswerBodies<Called>]: Answered<Status, AnswerBodies<Called>[Status]>;
    }[keyof AnswerBodies<Called>]
  | { ok: false; problem: ApiProblem };

interface Answered<Status, Body> {
  ok: true;
  status: Status;
  body: Body;
  headers: Readonly<Record<string, string>>;
}

/** What the API refused, where a page cannot do without the answer: it becomes a page with the status of the problem. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

type Headers = Readonly<Record<string, string>>;

/** The names of the lists in an answer. */
type ListName<Body> = {
  [Name in keyof Body]: Body[Name] extends readonly unknown[] ? Name : never;
}[keyof Body];

type EntryOf<List> = List extends readonly (infer Entry)[] ? Entry : never;

/**
 * The API, called with the token of the signed-in operator: pages can do what their reader may, and no more. A call names a route;
 * what it answers has the type of the route's own schemas. Parameters in the braces of the path and those of the query are
 * given together.
 */
export interface Api {
  /**
   * The JSON of a GET.
   * @throws ApiRefusal for a problem
   */
  get<Path extends PathOf<"GET">>(
    path: Path,
    parameters: CallParameters<`GET ${Path}`>,
  ): Promise<Answer<`GET ${Path}`>>;
  /**
   * The entries of every page of a list.
   * @param name the member of the answer that has them, such as `runs`
   * @throws ApiRefusal for a problem
   */
  all<Path extends PathOf<"GET">, Name extends ListName<Answer<`GET ${Path}`>>>(
    path: Path,
    name: Name,
    parameters: CallParameters<`GET ${Path}`>,
  ): Promise<EntryOf<Answer<`GET ${Path}`>[Name]>[]>;
  /**
   * A GET that may fail, as of what may not exist; or a change.
   * @param called method and path, such as `PUT /archive/{recordId}`
   * @param headers such as `if-match`
   */
  send<Called extends Operation>(
    called: Called,
    parameters: CallParameters<Called>,
    body?: unknown,
    headers?: Headers,
  ): Promise<ApiResult<Called>>;
  /** The text of a GET in another media type than JSON. */
  text<Path extends PathOf<"GET">>(
    path: Path,
    parameters: CallParameters<`GET ${Path}`>,
    mediaType: string,
  ): Promise<Answered<number, string> | { ok: false; problem: ApiProblem }>;
}

/** No list of a page needs more. */
const maxPages = 40;

/** @param token the access token of the caller */
export function createApi(send: SendToApi, token: string): Api {
  const call = async (called: string, parameters: Query, body?: unknown, headers: Headers = {}) => {
    const [method = "", path = ""] = called.split(" ");
    const answer = await send({
      method,
      path: withParameters(path, parameters),
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body !== undefined && {
          "content-type": typeof body === "string" ? "text/plain" : "application/json",
        }),
        ...headers,
      },
    });
    const { status } = answer;
    const isJson = /\bjson\b/.test(answer.headers["content-type"] ?? "");
    const parsed = isJson && answer.body !== "" ? JSON.parse(answer.body) : answer.body;
    if (status < 400) return { ok: true as const, status, body: parsed, headers: answer.headers };
    const problem: Partial<ApiProblem> = isJson ? parsed : {};
    return { ok: false as const, problem: { ...problem, status, detail: problem.detail ?? answer.body } };
  };

  const get = async (path: string, parameters: Query) => {
    const answer = await call(`GET ${path}`, parameters);
    if (!answer.ok) throw new ApiRefusal(answer.problem);
    return answer.body;
  };

  const all = async (path: string, name: PropertyKey, parameters: Query) => {
    const entries = [];
    let after = parameters.after;
    for (let page = 0; page < maxPages; page++) {
      const answer = await get(path, { ...parameters, after });
      entries.push(...answer[name]);
      after = answer.next;
      if (after === undefined) break;
    }
    return entries;
  };

  return {
    get,
    all,
    // The one place where what comes in is taken for what the routes say.
    send: async (called, ...given) => (await call(called, ...given)) as ApiResult<typeof called>,
    text: (path, parameters, accept) => call(`GET ${path}`, parameters, undefined, { accept }),
  };
}

/** `/runs/{id}` with its parameters in their places, encoded, and the others as its query. */
function withParameters(path: string, parameters: Query): string {
  const query = { ...parameters };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(parameters[name] ?? "");
    delete query[name];
    return value;
  });
  return withQuery(filled, query);
}

/** A path with the parameters that have a value; `path` may have some already. */
export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

/** The console's path with these segments: each is encoded. */
export function pathOf(strings: TemplateStringsArray, ...segments: (string | number)[]): string {
  return String.raw(strings, ...segments.map((segment) => encodeURIComponent(segment)));
}

/** The header of a change that is refused when what it changes has been written since it was read with this ETag. */
export function ifUnchanged(version: string | undefined): Record<string, string> {
  return version ? { "if-match": version } : {};
}
