import type { Subject } from "../../api/route.ts";
import type { TodayPorts } from "../today/today.ts";
import { type ConfigurationPorts, configurationSubject } from "./configuration-routes.ts";
import {
  type ConfigurationVersionPorts,
  configurationVersionSubject,
} from "./configuration-version-routes.ts";
import { type EventPorts, eventSubject } from "./event-routes.ts";
import { type FailedMessagePorts, failedMessageSubject } from "./failed-message-routes.ts";
import { type HostPorts, hostSubject } from "./host-routes.ts";
import { type MailPorts, mailSubject } from "./mail-routes.ts";
import { todaySubject } from "./today-routes.ts";

export type OperationApiPorts = TodayPorts &
  ConfigurationPorts &
  ConfigurationVersionPorts &
  HostPorts &
  MailPorts &
  EventPorts &
  FailedMessagePorts;

/**
 * The subjects of the API about the system itself, for operators: what needs attention, its configuration, hosts, mails
 * and events.
 */
export const operationSubjects = [
  todaySubject,
  configurationSubject,
  configurationVersionSubject,
  hostSubject,
  mailSubject,
  eventSubject,
  failedMessageSubject,
] satisfies Subject<OperationApiPorts>[];
