import { Hono } from "hono";
import type { OverdueSourcesPorts } from "../delivery/report/overdue.ts";
import { type ArchivePorts, archiveRoutes } from "./archive-routes.ts";
import { type CollectionPorts, collectionRoutes } from "./collection-routes.ts";
import { type ConfigurationPorts, configurationRoutes } from "./configuration-routes.ts";
import { type DelinquentRecordPorts, delinquentRecordRoutes } from "./delinquent-record-routes.ts";
import { type DeliveryPorts, deliveryRoutes } from "./delivery-routes.ts";
import { type GroupPorts, groupRoutes } from "./group-routes.ts";
import { type HostPorts, hostRoutes } from "./host-routes.ts";
import { type LinkPorts, linkRoutes } from "./link-routes.ts";
import { type PreviewPorts, previewRoutes } from "./preview-routes.ts";
import { reportRoutes } from "./report-routes.ts";
import { type RunPorts, runRoutes } from "./run-routes.ts";
import { type SourcePorts, sourceRoutes } from "./source-routes.ts";
import { type ValidationRulePorts, validationRuleRoutes } from "./validation-rule-routes.ts";

export type OperatorPorts = ConfigurationPorts &
  GroupPorts &
  CollectionPorts &
  LinkPorts &
  ValidationRulePorts &
  DelinquentRecordPorts &
  ArchivePorts &
  SourcePorts &
  PreviewPorts &
  RunPorts &
  HostPorts &
  DeliveryPorts &
  OverdueSourcesPorts;

/** What operators may ask: the gateway has checked their token before a request gets here. */
export function operatorRoutes(ports: OperatorPorts): Hono {
  const app = new Hono();

  app.route("/", deliveryRoutes(ports));
  app.route("/", runRoutes(ports));
  app.route("/", configurationRoutes(ports));
  app.route("/", groupRoutes(ports));
  app.route("/", sourceRoutes(ports));
  app.route("/", previewRoutes(ports));
  app.route("/", collectionRoutes(ports));
  app.route("/", linkRoutes(ports));
  app.route("/", archiveRoutes(ports));
  app.route("/", reportRoutes(ports));
  app.route("/", hostRoutes(ports));
  app.route("/", validationRuleRoutes(ports));
  app.route("/", delinquentRecordRoutes(ports));
  return app;
}
