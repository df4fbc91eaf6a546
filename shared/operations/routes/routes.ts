import { descriptionSubject } from "../../api/description-routes.ts";
import type { DescribedSubject } from "../../api/route.ts";
import { checkSetSubject } from "../../check-set/routes/check-set-routes.ts";
import { snapshotSubjects } from "../../snapshots/routes/snapshot-routes.ts";
import { operatorSubjects } from "./operator-routes.ts";
import { publicSubjects } from "./public-routes.ts";

const table = [
  ...publicSubjects,
  ...operatorSubjects,
  checkSetSubject,
  ...snapshotSubjects,
  descriptionSubject,
] satisfies DescribedSubject[];

/** Every subject of the API. Infra and documents read them; each function serves those of its audience. */
export const subjects: DescribedSubject[] = table;

declare module "../../api/route-table.ts" {
  interface RouteTable {
    route: (typeof table)[number]["routes"][number];
  }
}

/** Every route: the one table of the API. */
export const routes = subjects.flatMap(({ audience, servedBy, routes }) =>
  routes.map((route) => ({ ...route, audience, servedBy })),
);
