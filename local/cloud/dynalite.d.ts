declare module "dynalite" {
  import type { Server } from "node:http";
  /** The DynamoDB emulator. `path` is the folder of its state; absent: in memory. */
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    updateTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}
