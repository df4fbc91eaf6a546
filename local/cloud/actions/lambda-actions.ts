import { type AccessRequest, accessTo } from "../iam/policy.ts";
import { arnOf, type CloudLocation, nameInArn } from "../location.ts";
import { type ServiceRequest, unsupported } from "../service.ts";

/** The path of the operations on event source mappings. */
export const mappingsPath = "/2015-03-31/event-source-mappings";

/** Returns the permissions that a request to Lambda needs. @throws Unsupported */
export function lambdaActions(request: ServiceRequest, location: CloudLocation): AccessRequest[] {
  if (request.path.startsWith(mappingsPath)) {
    const action = request.method === "GET" ? "ListEventSourceMappings" : "UpdateEventSourceMapping";
    const uuid = request.path.slice(mappingsPath.length).replaceAll("/", "") || "*";
    return [accessTo(`lambda:${action}`, arnOf(location, "lambda", `event-source-mapping:${uuid}`))];
  }
  const name = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.path)?.[1];
  if (name === undefined) return unsupported("Lambda", `${request.method} ${request.path}`);
  const functionName = nameInArn(decodeURIComponent(name));
  return [accessTo("lambda:InvokeFunction", arnOf(location, "lambda", `function:${functionName}`))];
}
