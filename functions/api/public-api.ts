import { publicRoutes } from "../../shared/api/public-routes.ts";
import { recordStore } from "../../shared/aws/record-store.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

export const handler = httpHandler(publicRoutes({ records: recordStore() }));
