import { once } from "node:events";
import { createServer } from "node:net";

/**
 * The lowest port. It is below the ports that the kernel assigns, so that a server that is restarted on its
 * port finds the port free.
 */
const lowest = 10_000;
const highest = 32_700;

/**
 * Returns a free port of this machine whose next port is also free, for servers that are restarted on the
 * same port.
 */
export async function freePorts(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}
