import type { Answer, AnswerBodies, CallParameters, Operation, PathOf } from "../api/route-table.ts";

/** A request to the API. */
interface ApiRequest {
  method: string;
  /** The path with its query. */
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
 * @throws PlatformError when the API does not respond
 */
export type SendToApi = (request: ApiRequest) => Promise<ApiResponse>;

/** A problem that the API returned. */
export interface ApiProblem {
  status: number;
  detail: string;
  field?: string | undefined;
  value?: unknown;
  /** The problems of a text that was sent, line by line. */
  problems?: { line: number; message: string }[];
}

/** The result of a call: the response of its route with one of its statuses, or a problem. */
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

/** The error of a refused call whose response a page needs. It becomes a page with the status of the problem. */
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

/** The names of the lists in a response. */
type ListName<Body> = {
  [Name in keyof Body]: Body[Name] extends readonly unknown[] ? Name : never;
}[keyof Body];

type EntryOf<List> = List extends readonly (infer Entry)[] ? Entry : never;

/**
 * The API, called with the token of the signed-in operator, so that pages have the permissions of their reader only. A
 * call names a route. The type of its result is derived from the route's schemas. Parameters of the path (in braces)
 * and of the query are passed together.
 */
export interface Api {
  /**
   * Returns the JSON of a GET.
   * @throws ApiRefusal for a problem
   */
  get<Path extends PathOf<"GET">>(
    path: Path,
    parameters: CallParameters<`GET ${Path}`>,
  ): Promise<Answer<`GET ${Path}`>>;
  /**
   * Returns the entries of all pages of a list.
   * @param name the member of the response that contains the entries, such as `runs`
   * @throws ApiRefusal for a problem
   */
  all<Path extends PathOf<"GET">, Name extends ListName<Answer<`GET ${Path}`>>>(
    path: Path,
    name: Name,
    parameters: CallParameters<`GET ${Path}`>,
  ): Promise<EntryOf<Answer<`GET ${Path}`>[Name]>[]>;
  /**
   * Sends a change, or a GET that may fail, for example because the resource may not exist.
   * @param called method and path, such as `PUT /archive/{recordId}`
   * @param headers such as `if-match`
   */
  send<Called extends Operation>(
    called: Called,
    parameters: CallParameters<Called>,
    body?: unknown,
    headers?: Headers,
  ): Promise<ApiResult<Called>>;
  /** Returns the text of a GET in another media type than JSON. */
  text<Path extends PathOf<"GET">>(
    path: Path,
    parameters: CallParameters<`GET ${Path}`>,
    mediaType: string,
  ): Promise<Answered<number, string> | { ok: false; problem: ApiProblem }>;
}

/** Enough for every list that a page shows. */
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
    // Only this line assumes that a response has the type of its route.
    send: async (called, ...given) => (await call(called, ...given)) as ApiResult<typeof called>,
    text: (path, parameters, accept) => call(`GET ${path}`, parameters, undefined, { accept }),
  };
}

/** Inserts the parameters of a path such as `/runs/{id}`, encoded. The other parameters become the query. */
function withParameters(path: string, parameters: Query): string {
  const query = { ...parameters };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(parameters[name] ?? "");
    delete query[name];
    return value;
  });
  return withQuery(filled, query);
}

/** Adds the parameters that have a value to a path, which may already have parameters. */
export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

/** Returns a path of the console with these segments, each of which is encoded. */
export function pathOf(strings: TemplateStringsArray, ...segments: (string | number)[]): string {
  return String.raw(strings, ...segments.map((segment) => encodeURIComponent(segment)));
}

/**
 * Returns the header for a change that is refused if the resource has been written since it was read with this ETag.
 */
export function ifUnchanged(version: string | undefined): Record<string, string> {
  return version ? { "if-match": version } : {};
}
