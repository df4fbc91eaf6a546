import { operatorRoutes } from "../../shared/api/operator-routes.ts";
import { configurationStore } from "../../shared/aws/configuration-store.ts";
import { deliveryStore } from "../../shared/aws/delivery-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

export const handler = httpHandler(
  operatorRoutes({ deliveries: deliveryStore(), configuration: configurationStore(), clock: systemClock }),
);
