declare module "dynalite" {
  import type { Server } from "node:http";
  /** The DynamoDB emulator; `path` is the folder that keeps its state, in memory without one. */
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    updateTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}
