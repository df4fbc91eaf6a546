import { operatorRoutes } from "../../shared/api/operator-routes.ts";
import { deliveryStore } from "../../shared/aws/delivery-store.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

export const handler = httpHandler(operatorRoutes({ deliveries: deliveryStore() }));
