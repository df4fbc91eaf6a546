/** A request to the API. */
interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
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

export type ApiResult<Body> =
  | { ok: true; status: number; body: Body; headers: Readonly<Record<string, string>> }
  | { ok: false; problem: ApiProblem };

/**
 * What the API refused, where a page cannot do without the answer: it becomes a page with the status of the problem.
 */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** The API, called with the token of the signed-in user: pages have the permissions of their reader, and no more. */
export interface Api {
  /**
   * The JSON of a GET.
   * @throws ApiRefusal for any other status than 2xx
   */
  get<Body>(path: string, query?: Query): Promise<Body>;
  /**
   * The entries of every page of a list.
   * @param name the member of the answer that has them, such as `runs`
   * @throws ApiRefusal for any other status than 2xx
   */
  all<Entry>(path: string, name: string, query?: Query): Promise<Entry[]>;
  /** A GET that may fail, as of what may not exist; or a change. `headers`: such as `if-match`. */
  send<Body>(
    method: ApiRequest["method"],
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResult<Body>>;
}

/** No list of a page needs more. */
const maxPages = 40;

/** @param token the access token of the caller */
export function createApi(send: SendToApi, token: string): Api {
  async function request<Body>(
    method: ApiRequest["method"],
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResult<Body>> {
    const answer = await send({
      method,
      path,
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
    if (status < 400) return { ok: true, status, body: parsed as Body, headers: answer.headers };
    const problem = isJson ? (parsed as Partial<ApiProblem>) : {};
    return { ok: false, problem: { ...problem, status, detail: problem.detail ?? answer.body } };
  }

  async function get<Body>(path: string, query: Query = {}): Promise<Body> {
    const answer = await request<Body>("GET", withQuery(path, query));
    if (!answer.ok) throw new ApiRefusal(answer.problem);
    return answer.body;
  }

  return {
    get,
    send: request,
    all: async <Entry>(path: string, name: string, query: Query = {}) => {
      const entries: Entry[] = [];
      let after = query.after;
      for (let page = 0; page < maxPages; page++) {
        const answer = await get<Record<string, unknown>>(path, { ...query, after });
        entries.push(...(answer[name] as Entry[]));
        after = answer.next as string | undefined;
        if (after === undefined) break;
      }
      return entries;
    },
  };
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

/** The API's path, or the console's, with these segments: each is encoded. */
export function pathOf(strings: TemplateStringsArray, ...segments: (string | number)[]): string {
  return String.raw(strings, ...segments.map((segment) => encodeURIComponent(segment)));
}

/** The header of a change that is refused when what it changes has been written since it was read with this ETag. */
export function ifUnchanged(version: string | undefined): Record<string, string> {
  return version ? { "if-match": version } : {};
}
