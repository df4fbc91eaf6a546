import type { Role } from "../../../shared/api/role.ts";
import { createApi, type SendToApi } from "../../../shared/console/api.ts";
import type { PageAnswer, PageRequest } from "../../../shared/console/page.ts";
import { languages } from "../../../shared/console/texts/languages.ts";

/** An API that answers by method and path without the query, such as `GET /runs`, and 404 for all else. */
export function fakeApi(answers: Record<string, unknown>): {
  send: SendToApi;
  calls: { method: string; path: string; body: unknown; headers: Record<string, string> }[];
} {
  const calls: ReturnType<typeof fakeApi>["calls"] = [];
  const send: SendToApi = async ({ method, path, body, headers }) => {
    calls.push({ method, path, body: body === undefined ? undefined : JSON.parse(body), headers });
    const answer = answers[`${method} ${path.split("?", 1)[0]}`];
    const problem = answer === undefined ? { status: 404, detail: `there is no ${path}` } : answer;
    const status = (problem as { status?: unknown })?.status;
    return {
      status: typeof status === "number" ? status : 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(problem),
    };
  };
  return { send, calls };
}

/** A request for a page, over an API that answers so. `form` makes it a POST. */
export function consoleRequest(
  path: string,
  {
    answers = {},
    params = {},
    form = {},
    role = "operator",
  }: {
    answers?: Record<string, unknown>;
    params?: Record<string, string>;
    form?: Record<string, string>;
    role?: Role;
  } = {},
): PageRequest & { calls: ReturnType<typeof fakeApi>["calls"] } {
  const { send, calls } = fakeApi(answers);
  return {
    calls,
    api: createApi(send, "token"),
    caller: { name: "anna@library.example", role },
    texts: languages.en,
    language: "en",
    zone: "Europe/Berlin",
    now: new Date("2026-11-22T19:30:00Z"),
    url: new URL(path, "https://console.example"),
    params,
    form,
    formValues: (name) => (form[name] === undefined ? [] : [form[name]]),
    csrf: "csrf",
  };
}

/** The markup of a page. @throws when the answer is not a page */
export async function bodyOf(answer: PageAnswer): Promise<string> {
  if (!("body" in answer)) throw new Error(`the answer is not a page: ${JSON.stringify(answer)}`);
  return String(await answer.body);
}
