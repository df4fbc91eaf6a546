import { descriptionSubject } from "../../api/description-routes.ts";
import type { DescribedSubject } from "../../api/route.ts";
import { checkSetSubject } from "../../check-set/routes/check-set-routes.ts";
import { oaiSubject } from "../../give-back/routes/oai-routes.ts";
import { snapshotSubjects } from "../../snapshots/routes/snapshot-routes.ts";
import { operatorSubjects } from "./operator-routes.ts";
import { publicSubjects } from "./public-routes.ts";

const table = [
  ...publicSubjects,
  ...operatorSubjects,
  checkSetSubject,
  oaiSubject,
  ...snapshotSubjects,
  descriptionSubject,
] satisfies DescribedSubject[];

/**
 * All subjects of the API. The infrastructure and the documents read them. Each function serves the subjects of its
 * audience.
 */
export const subjects: DescribedSubject[] = table;

declare module "../../api/route-table.ts" {
  interface RouteTable {
    route: (typeof table)[number]["routes"][number];
  }
}

/** All routes of the API. */
export const routes = subjects.flatMap(({ audience, servedBy, routes }) =>
  routes.map((route) => ({ ...route, audience, servedBy })),
);
