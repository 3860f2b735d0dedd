const PARENT_CHECK_MS = 250;

/**
 * Stops the server if `npm start` has ended. npm runs the server under a shell, and the shell ends on npm's
 * signal without passing the signal on. So a server that runs under npm has to stop when its parent process is
 * gone. Otherwise a missing parent does not matter.
 */
export function onLosingNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}
