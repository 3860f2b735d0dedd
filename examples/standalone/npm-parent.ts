import { readFileSync } from 'node:fs';

const PARENT_CHECK_MS = 250;

/**
 * Stops the server when `npm start` has ended. npm runs the server under a shell, which passes no signal on. So the
 * server watches its own parent process and the parent of that shell.
 */
export function onLosingNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const shell = shellParent(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && shellParent(parent) === shell) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/**
 * The id of a shell's parent process. `null` if the process is no shell, or if the system has no /proc, as on macOS
 * and Windows.
 */
function shellParent(id: number): string | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    const [, name = '', parent = ''] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
    return /^(sh|ash|dash|bash|zsh)$/.test(name) ? parent : null;
  } catch {
    return null;
  }
}
