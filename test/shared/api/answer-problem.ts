import { problemType } from "../../../shared/api/answer.ts";
import { answersOf, isProblem } from "../../../shared/api/open-api.ts";
import type { RouteDescription } from "../../../shared/api/route.ts";

/**
 * Why an answer is not as the route's entry documents it: an undocumented status, a missing header, or a body that does
 * not fit the schema. Undefined when there is nothing to object to.
 */
export async function answerProblem(
  routes: readonly RouteDescription[],
  { method, path }: { method: string; path: string },
  answer: Response,
): Promise<string | undefined> {
  const route = routes.find((each) => each.method === method && pathPattern(each.path).test(path));
  if (route === undefined) return undefined;
  const problem = await findProblem(route, answer);
  return problem && `${method} ${path} → ${answer.status}: ${problem}`;
}

async function findProblem(route: RouteDescription, answer: Response): Promise<string | undefined> {
  const documented = answersOf(route)[answer.status];
  if (documented === undefined) return "undocumented";
  const missing = Object.keys(documented.headers ?? {}).filter((name) => !answer.headers.has(name));
  if (missing.length > 0) return `no header ${missing.join(", ")}`;
  const text = await answer.text();
  const [mediaType = ""] = (answer.headers.get("content-type") ?? "").split(";");
  if (Object.hasOwn(documented.alternatives ?? {}, mediaType)) return undefined;
  if (documented.body === undefined) return text === "" ? undefined : "a body, where none is documented";
  if (isProblem(answer.status, documented.body) && mediaType !== problemType)
    return `a problem of the type ${mediaType}`;
  const { error } = documented.body.safeParse(JSON.parse(text));
  return error && `${error.message} in ${text.slice(0, 1000)}`;
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
