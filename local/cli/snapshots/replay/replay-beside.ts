import { findReplayComponent, isReplayInstalled, type ReplayComponent } from "./replay-component.ts";
import { serveReplay } from "./replay-server.ts";
import { replayedLinks } from "./replayed-links.ts";

/** The server that shows the captures of the local cloud. */
export interface ReplayBeside {
  origin: string;
  /** Sets the origin of the store, when the cloud has started. Packages are read only from this origin. */
  readFrom(store: string): void;
  close(): Promise<void>;
}

/**
 * Serves packed captures beside the local cloud. Browsers send cookies to all ports of a host. Therefore this
 * server has the name `localhost`, unlike the console, and receives no cookies of the console.
 * @returns undefined if the component is not installed
 */
export async function openReplayBeside(): Promise<ReplayBeside | undefined> {
  if (!isReplayInstalled()) return undefined;
  let store: string | undefined;
  let found: ReplayComponent | undefined;
  const { port, server } = await serveReplay({
    captures: replayedLinks(() => store),
    component: () => {
      found ??= findReplayComponent();
      return found;
    },
    port: 0,
  });
  // The cloud decides when the process ends.
  server.unref();
  return {
    origin: `http://localhost:${port}`,
    readFrom: (url) => {
      store = new URL(url).origin;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
