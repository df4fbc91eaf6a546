import { ConfigError, InputError } from "../../../shared/core/errors.ts";
import { defaultGroup } from "../actions/scheduler-actions.ts";
import type { Role } from "../iam/roles.ts";
import type { CloudLocation } from "../location.ts";
import {
  inputOf,
  jsonResponse,
  restError,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
} from "../service.ts";
import { isTrustedTo, scheduleArn } from "./invoke-schedule-target.ts";
import {
  groupOf,
  type ScheduleDefinition,
  type ScheduleStore,
  type StoredSchedule,
} from "./schedule-store.ts";
import type { Scheduler } from "./scheduler.ts";
import { validateSchedule } from "./validate-schedule.ts";

interface Options {
  readonly location: CloudLocation;
  readonly roles: ReadonlyMap<string, Role>;
  readonly store: ScheduleStore;
  readonly scheduler: Scheduler;
  /** The groups of the templates. */
  readonly groups: readonly string[];
}

/**
 * Creates EventBridge Scheduler's API for schedules.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_Operations.html
 */
export function createSchedulerApi({ location, roles, store, scheduler, groups }: Options): Service {
  async function serve(request: ServiceRequest): Promise<ServiceResponse> {
    const name = decodeURIComponent(request.path.split("/")[2] ?? "");
    if (name === "") return listSchedules(request.query);
    if (request.method === "POST" || request.method === "PUT") return putSchedule(name, request);
    const group = request.query.get("groupName") ?? defaultGroup;
    const found = store.get(group, name);
    if (found === undefined) return notFound(name);
    if (request.method === "GET")
      return jsonResponse(200, { ...found.definition, ...scheduleMetadata(found) });
    scheduler.remove(group, name);
    return jsonResponse(200, {});
  }

  function putSchedule(name: string, request: ServiceRequest): ServiceResponse {
    const { method } = request;
    const { ClientToken: _, ...input } = inputOf<ScheduleDefinition & { ClientToken?: string }>(request);
    const definition = { ...input, Name: name, GroupName: groupOf(input) };
    const known = store.get(definition.GroupName, name);
    if (method === "PUT" && known === undefined) return notFound(name);
    if (method === "POST" && known !== undefined) {
      return restError(409, "ConflictException", `Schedule ${name} already exists.`);
    }
    if (definition.GroupName !== defaultGroup && !groups.includes(definition.GroupName)) {
      const message = `Schedule group ${definition.GroupName} does not exist.`;
      return restError(404, "ResourceNotFoundException", message);
    }
    const invalid = validationError(definition);
    if (invalid !== undefined) return restError(400, "ValidationException", invalid);
    scheduler.put(definition);
    return jsonResponse(200, { ScheduleArn: scheduleArn(definition, location) });
  }

  function validationError(definition: ScheduleDefinition): string | undefined {
    try {
      const timing = validateSchedule(definition);
      if (timing.kind === "at" && timing.atMs < Date.now()) {
        return `The time of ${definition.ScheduleExpression} has passed.`;
      }
    } catch (error) {
      if (error instanceof InputError || error instanceof ConfigError) return error.message;
      throw error;
    }
    if (isTrustedTo(roles.get(definition.Target.RoleArn), definition, location)) return undefined;
    return "The execution role you provide must allow AWS EventBridge Scheduler to assume the role.";
  }

  function listSchedules(query: URLSearchParams): ServiceResponse {
    const group = query.get("ScheduleGroup");
    const prefix = query.get("NamePrefix") ?? "";
    const from = Number(query.get("NextToken") ?? 0);
    const to = from + Number(query.get("MaxResults") ?? 100);
    const matching = store
      .all()
      .filter(({ definition }) => group === null || groupOf(definition) === group)
      .filter(({ definition }) => definition.Name.startsWith(prefix));
    return jsonResponse(200, {
      Schedules: matching.slice(from, to).map((schedule) => ({
        ...scheduleMetadata(schedule),
        Name: schedule.definition.Name,
        Target: { Arn: schedule.definition.Target.Arn },
      })),
      ...(to < matching.length && { NextToken: String(to) }),
    });
  }

  function scheduleMetadata({ definition, createdMs, modifiedMs }: StoredSchedule) {
    return {
      Arn: scheduleArn(definition, location),
      GroupName: groupOf(definition),
      State: definition.State ?? "ENABLED",
      CreationDate: createdMs / 1000,
      LastModificationDate: modifiedMs / 1000,
    };
  }

  return serve;
}

function notFound(name: string): ServiceResponse {
  return restError(404, "ResourceNotFoundException", `Schedule ${name} does not exist.`);
}
