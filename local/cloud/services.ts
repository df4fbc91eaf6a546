import { join } from "node:path";
import type { Resolver } from "./cloudformation/resolver.ts";
import type { Emulators } from "./emulators.ts";
import { type BusEvent, createEventBus } from "./eventbridge/event-bus.ts";
import { createTargetInvoker } from "./eventbridge/targets.ts";
import type { Access } from "./iam/access.ts";
import type { Role } from "./iam/roles.ts";
import { openJsonLinesLog } from "./json-lines-log.ts";
import { createAsyncInvocations } from "./lambda/async-invocations.ts";
import { type SwitchedPollers, serveMappings } from "./lambda/event-source-mappings.ts";
import { type EventSource, readEventSources } from "./lambda/event-sources.ts";
import type { LocalFunction } from "./lambda/functions.ts";
import { createLambda } from "./lambda/lambda.ts";
import type { CloudLocation } from "./location.ts";
import { openLogGroups } from "./log-groups.ts";
import type { ScheduleChoice, Scheduler } from "./scheduler/scheduler.ts";
import { createSchedulerService } from "./scheduler/scheduler-service.ts";
import { createSecretsManager } from "./secrets-manager.ts";
import type { Service } from "./service.ts";
import { createSes } from "./ses/ses.ts";
import type { Shutdown } from "./shutdown.ts";

/** What the parts of a cloud are made from. */
export interface CloudParts {
  readonly stateDir: string;
  readonly location: CloudLocation;
  readonly resolver: Resolver;
  readonly emulators: Emulators;
  readonly roles: ReadonlyMap<string, Role>;
  readonly access: Access;
  readonly reportError: (problem: string) => void;
  readonly shutdown: Shutdown;
}

interface ServiceOptions {
  readonly functions: ReadonlyMap<string, LocalFunction>;
  /** Asked for at the first call that needs them: they are started when the services are open. */
  readonly pollers: () => SwitchedPollers;
  /** The schedules of the templates that fire. */
  readonly schedules: ScheduleChoice;
  /** See `Scheduler`. */
  readonly lateSchedules: boolean;
  readonly sesSandbox: boolean;
  readonly onEvent?: ((event: BusEvent) => Promise<void>) | undefined;
}

/** The AWS services of a cloud. */
interface CloudServices {
  /** By the name in the credential scope. */
  readonly services: Readonly<Record<string, Service>>;
  /** The verified senders of the templates. */
  readonly identities: readonly string[];
  /** It is not started yet. */
  readonly scheduler: Scheduler;
  /** What to poll: the queues of the templates, and that of asynchronous invocations. */
  readonly sources: readonly EventSource[];
}

export async function openServices(
  { stateDir, location, resolver, emulators, roles, access, reportError, shutdown }: CloudParts,
  { functions, pollers, schedules, lateSchedules, sesSandbox, onEvent }: ServiceOptions,
): Promise<CloudServices> {
  const { sqs, s3, dynamodb } = emulators;
  const asyncInvocations = await createAsyncInvocations(resolver, { sqs, location, functions, access });
  const logGroups = openLogGroups(join(stateDir, "log-groups"));
  const invokeTarget = createTargetInvoker({ sqs, asyncInvocations, logGroups, location });
  const { scheduler, service } = createSchedulerService(resolver, {
    stateDir,
    location,
    roles,
    access,
    invokeTarget,
    choice: schedules,
    reportError,
    isLate: lateSchedules,
    shutdown,
  });
  const mapped = readEventSources(resolver, { functions, access });
  const identities = resolver.resourcesOfType("AWS::SES::EmailIdentity").map(({ name }) => name);
  const log = openJsonLinesLog(join(stateDir, "events.ndjson"));
  return {
    services: {
      sqs,
      s3,
      dynamodb,
      scheduler: service,
      lambda: createLambda(functions, asyncInvocations, (request) =>
        serveMappings(request, mapped, pollers()),
      ),
      logs: logGroups.service,
      secretsmanager: createSecretsManager(join(stateDir, "secrets.json")),
      ses: createSes(join(stateDir, "mail"), { identities, isSandbox: sesSandbox }),
      events: createEventBus(resolver, { location, access, invokeTarget, log, reportError, onEvent }),
    },
    identities,
    scheduler,
    sources: [...mapped, asyncInvocations.source],
  };
}
