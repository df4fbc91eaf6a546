/**
 * Opens a site on its preferred port. If that port is taken, a free port is used, and the addresses of the
 * pages change.
 */
export async function onPreferredPort<Site>(
  {
    siteName,
    preferredPort,
    print,
  }: { siteName: string; preferredPort: number; print: (line: string) => void },
  open: (port: number) => Promise<Site>,
): Promise<Site> {
  try {
    return await open(preferredPort);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    print(`Port ${preferredPort} is taken: the ${siteName} takes another.`);
    return open(0);
  }
}
