import { mappingsPath } from "../actions/lambda-actions.ts";
import { RecursiveInvocation, readLineage, traceHeader } from "../lineage.ts";
import { nameInArn } from "../location.ts";
import {
  inputOf,
  jsonResponse,
  restError,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
} from "../service.ts";
import type { AsyncInvocations } from "./async-invocations.ts";
import { TooManyRequests } from "./concurrency.ts";
import type { LocalFunction } from "./functions.ts";

/**
 * Serves the Invoke operation of Lambda, and the operations on event source mappings.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function createLambda(
  functions: ReadonlyMap<string, LocalFunction>,
  later: AsyncInvocations,
  mappings: (request: ServiceRequest) => ServiceResponse,
): Service {
  return async (request) => {
    const { path, headers } = request;
    if (path.startsWith(mappingsPath)) return mappings(request);
    const name = nameInArn(decodeURIComponent(path.split("/")[3] ?? ""));
    const target = functions.get(name);
    if (target === undefined) {
      return restError(404, "ResourceNotFoundException", `Function not found: ${name}`);
    }
    const event = inputOf(request);
    const trace = headers[traceHeader]?.toString();
    if (headers["x-amz-invocation-type"] === "Event") {
      await later.send(name, event, trace);
      return { status: 202, headers: {}, body: Buffer.alloc(0) };
    }
    try {
      const answer = await target.invoke(event, { lineage: readLineage([trace]) });
      return jsonResponse(200, answer, { "x-amz-executed-version": "$LATEST" });
    } catch (thrown) {
      if (thrown instanceof RecursiveInvocation) return restError(400, thrown.name, thrown.message);
      if (thrown instanceof TooManyRequests) return restError(429, thrown.name, thrown.message);
      const { name: errorType, message: errorMessage, stack } = thrown as Error;
      const trace = stack?.split("\n") ?? [];
      return jsonResponse(200, { errorType, errorMessage, trace }, { "x-amz-function-error": "Unhandled" });
    }
  };
}
