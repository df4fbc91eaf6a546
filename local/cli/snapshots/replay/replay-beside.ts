import { findReplayComponent, isReplayInstalled, type ReplayComponent } from "./replay-component.ts";
import { serveReplay } from "./replay-server.ts";
import { replayedLinks } from "./replayed-links.ts";

/** Where the captures of the local cloud are shown. */
export interface ReplayBeside {
  origin: string;
  /** Says where the store is, as soon as the cloud is up: packages are read from nowhere else. */
  readFrom(store: string): void;
  close(): Promise<void>;
}

/**
 * Serves packed captures beside the local cloud. Cookies do not tell ports apart: so it has another name than the console,
 * `localhost`, and none of the console's cookies comes here.
 * @returns undefined when the component is not installed
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
  // The cloud decides how long the process lives.
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
