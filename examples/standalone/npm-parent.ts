import { readFileSync } from 'node:fs';

const PARENT_CHECK_MS = 250;

/**
 * Stops the server if `npm start` has ended. npm runs the server under a shell, and the shell ends on npm's
 * signal without passing the signal on. If npm is killed, the shell stays and gets another parent. So a server that
 * runs under npm has to stop when its parent process, or the parent of that shell, is gone. Otherwise a missing
 * parent does not matter.
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
 * The parent of a process that is a shell. `null` for another process, and where there is no /proc (it is
 * only on Linux).
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
