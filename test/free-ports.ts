import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that the kernel gives to whoever asks for any: what comes back to its port finds it free. */
const lowest = 10_000;
const highest = 32_700;

/** A port of this machine that is free, as is the next one, for servers that are started more than once on the same. */
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
