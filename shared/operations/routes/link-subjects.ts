import type { Subject } from "../../api/route.ts";
import { type CollectionPorts, collectionSubject } from "../../links/routes/collection-routes.ts";
import { type LinkPorts, linkSubject } from "../../links/routes/link-routes.ts";

export type LinkApiPorts = CollectionPorts & LinkPorts;

/** The subjects of the API about link checks, for operators. */
export const linkSubjects = [collectionSubject, linkSubject] satisfies Subject<LinkApiPorts>[];
