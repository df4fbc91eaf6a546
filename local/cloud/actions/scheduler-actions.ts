import { type AccessRequest, accessTo } from "../iam/policy.ts";
import { arnOf, type CloudLocation } from "../location.ts";
import { inputOf, type ServiceRequest, unsupported } from "../service.ts";

/** The group of a schedule that does not name a group. */
export const defaultGroup = "default";

const operations: Readonly<Record<string, string>> = {
  GET: "GetSchedule",
  POST: "CreateSchedule",
  PUT: "UpdateSchedule",
  DELETE: "DeleteSchedule",
};

/** Returns the permissions that a request to EventBridge Scheduler needs. @throws Unsupported */
export function schedulerActions(request: ServiceRequest, location: CloudLocation): AccessRequest[] {
  const [collection, name] = request.path.split("/").filter(Boolean).map(decodeURIComponent);
  if (collection !== "schedules") unsupported("Scheduler", `${request.method} ${request.path}`);
  if (name === undefined) return [accessTo("scheduler:ListSchedules", "*")];
  const operation = operations[request.method] ?? unsupported("Scheduler", request.method);
  const input = inputOf<{ GroupName?: string; Target?: { RoleArn?: string } }>(request);
  const group = input.GroupName ?? request.query.get("groupName") ?? defaultGroup;
  const role = input.Target?.RoleArn;
  return [
    accessTo(`scheduler:${operation}`, arnOf(location, "scheduler", `schedule/${group}/${name}`)),
    ...(role === undefined
      ? []
      : [accessTo("iam:PassRole", role, { "iam:passedtoservice": "scheduler.amazonaws.com" })]),
  ];
}
