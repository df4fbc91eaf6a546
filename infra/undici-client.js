// What functions use of undici. Its index also loads fetch, WebSocket, caches and mocks: 420 KB and 15 ms of a cold start.

import buildConnector from "undici/lib/core/connect.js";
import errors from "undici/lib/core/errors.js";
import Client from "undici/lib/dispatcher/client.js";

export { buildConnector, Client, errors };
