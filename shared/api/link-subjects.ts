import { type CollectionPorts, collectionSubject } from "./collection-routes.ts";
import { type LinkPorts, linkSubject } from "./link-routes.ts";
import type { Subject } from "./route.ts";

export type LinkApiPorts = CollectionPorts & LinkPorts;

/** What operators are served about link checks. */
export const linkSubjects: Subject<LinkApiPorts>[] = [collectionSubject, linkSubject];
