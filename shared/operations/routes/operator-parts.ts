import type { Subject } from "../../api/route.ts";
import type { DeliveryApiPorts } from "./delivery-subjects.ts";
import type { HarvestApiPorts } from "./harvest-subjects.ts";
import type { LinkApiPorts } from "./link-subjects.ts";
import type { OperationApiPorts } from "./operation-subjects.ts";

export type OperatorPorts = OperationApiPorts & HarvestApiPorts & DeliveryApiPorts & LinkApiPorts;

type Part = () => Promise<Subject<OperatorPorts>[]>;

const operation: Part = async () => (await import("./operation-subjects.ts")).operationSubjects;
const harvest: Part = async () => (await import("./harvest-subjects.ts")).harvestSubjects;
const delivery: Part = async () => (await import("./delivery-subjects.ts")).deliverySubjects;
const link: Part = async () => (await import("./link-subjects.ts")).linkSubjects;

/**
 * The parts that the function for operators loads for a request, by the first segment of the path. A cold start with
 * all parts would take twice as long. With more parts than these, it takes a tenth longer, because the parts share many
 * files.
 */
export const operatorParts: Readonly<Record<string, Part>> = {
  today: operation,
  config: operation,
  hosts: operation,
  mails: operation,
  events: operation,
  "failed-messages": operation,
  detections: harvest,
  recipes: harvest,
  "repository-checks": harvest,
  sources: harvest,
  documents: harvest,
  groups: harvest,
  runs: harvest,
  deliveries: delivery,
  reports: delivery,
  archive: delivery,
  "archive-titles": delivery,
  "validation-rules": delivery,
  "refused-records": delivery,
  "record-origins": delivery,
  records: async () => [...(await delivery()), ...(await link())],
  collections: link,
  rules: link,
};
