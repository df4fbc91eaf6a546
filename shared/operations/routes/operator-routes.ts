import type { Subject } from "../../api/route.ts";
import { deliverySubjects } from "./delivery-subjects.ts";
import { harvestSubjects } from "./harvest-subjects.ts";
import { linkSubjects } from "./link-subjects.ts";
import { operationSubjects } from "./operation-subjects.ts";
import type { OperatorPorts } from "./operator-parts.ts";

/** The subjects that the function for operators serves, in the order of the documents. */
export const operatorSubjects = [
  ...operationSubjects,
  ...harvestSubjects,
  ...deliverySubjects,
  ...linkSubjects,
] satisfies Subject<OperatorPorts>[];
