import type { ApiProblem } from "../api.ts";

/**
 * Decides whether a form is based on the version that is stored now. Typed values belong to the version into which they
 * were typed, unless the person has just been shown the stored version (412).
 * @param problem why the API has refused the form; absent when the form was not sent
 */
export function takesStoredVersion(problem: ApiProblem | undefined): boolean {
  return problem === undefined || problem.status === 412;
}

/**
 * Returns the status of the page that shows a refused form again: a conflict of versions, or a problem with the typed
 * values.
 */
export function refusedFormStatus(problem: ApiProblem | undefined): { status?: 400 | 409 } {
  return problem === undefined ? {} : { status: problem.status === 412 ? 409 : 400 };
}
