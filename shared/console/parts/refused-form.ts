import type { ApiProblem } from "../api.ts";

/**
 * Whether a form gets the version that is stored now. What was typed belongs to the version that it was typed into, unless the
 * person has just been shown this one (412).
 * @param problem why the API has refused the form; absent: it was not sent
 */
export function takesStoredVersion(problem: ApiProblem | undefined): boolean {
  return problem === undefined || problem.status === 412;
}

/** The status of the page that shows a refused form again: a conflict of versions, or a problem of what was typed. */
export function refusedFormStatus(problem: ApiProblem | undefined): { status?: 400 | 409 } {
  return problem === undefined ? {} : { status: problem.status === 412 ? 409 : 400 };
}
