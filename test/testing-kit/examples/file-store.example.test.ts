import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import type { Storage } from 'express-prediction-market';
import { memoryStorage, type RowStore } from 'express-prediction-market/storage/memory';
import { inspectRows, rowStoreConformance, storageConformance } from 'express-prediction-market/testing';

/** Each write replaces the file with all rows. For many rows, append to a file, as examples/custom-storage does. */
function lockedFileStore(file: string): RowStore {
  let rows: Map<string, string> | null = null;
  let release = async () => {};
  return {
    async load() {
      release = await takeLock(file); // the lock first, then the rows
      try {
        rows = new Map(JSON.parse(await readFile(file, 'utf8').catch(emptyIfMissing)));
        return new Map(rows);
      } catch (error) {
        await release(); // `load` may be called again after it has rejected
        throw error;
      }
    },
    async write(changes) {
      if (rows === null) throw new Error('not loaded');
      const next = new Map(rows);
      for (const [key, row] of changes) {
        if (row === null) next.delete(key);
        else next.set(key, row);
      }
      await replace(file, JSON.stringify([...next]));
      rows = next;
    },
    async close() {
      rows = null;
      await release();
    },
  };
}

/** After a crash the file has its old content or the new one, because only `rename` changes it. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.draft`, text, { flush: true }); // the bytes are on the disk
  await rename(`${file}.draft`, file);
  const folder = await open(dirname(file));
  await folder.sync(); // the new name is on the disk, too
  await folder.close();
}

/** The locks that stores of this process hold. */
const held = new Set<string>();

/**
 * Locks are numbered files, and the highest number counts. `link` creates a file with its content, or rejects if the file
 * exists. If several processes find the lock of an ended process, only one of them can create the next number.
 */
async function takeLock(file: string): Promise<() => Promise<void>> {
  const prefix = `${basename(file)}.lock.`;
  const pathOf = (number: number): string => join(dirname(file), `${prefix}${number}`);
  const numbers = async (): Promise<number[]> => {
    const names = (await readdir(dirname(file))).filter((name) => name.startsWith(prefix));
    return names.map((name) => Number(name.slice(prefix.length))).filter(Number.isInteger);
  };
  const before = await numbers();
  const last = Math.max(0, ...before);
  if (last > 0 && isHeld(await readFile(pathOf(last), 'utf8')))
    throw new Error(`another process has ${pathOf(last)}; delete it only if that process has ended`);
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  const draft = join(dirname(file), `.${owner.split(' ')[2]}`);
  const own = pathOf(last + 1);
  await writeFile(draft, owner, { flush: true });
  await link(draft, own).finally(() => rm(draft));
  if (Math.max(...(await numbers())) > last + 1) {
    await rm(own);
    throw new Error(`another process was faster than ${own}`);
  }
  held.add(owner);
  for (const number of before) await rm(pathOf(number), { force: true });
  return async () => {
    if (held.delete(owner)) await truncate(own).catch(emptyIfMissing); // an empty lock is free
  };
}

/** Whether the owner of the lock still runs. A process of another host cannot be checked, so its lock stays valid. */
function isHeld(owner: string): boolean {
  if (owner === '') return false;
  const [host, id] = owner.split(' ');
  if (host !== hostname()) return true;
  if (Number(id) === process.pid) return held.has(owner); // in a container each process may have the id 1
  try {
    return process.kill(Number(id), 0); // asks only whether the process exists
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '[]';
  throw error;
}

const ENDED = spawnSync(process.execPath, ['--eval', '']).pid;

async function newFile() {
  const folder = await mkdtemp(join(tmpdir(), 'locked-file-'));
  const locks = async () => (await readdir(folder)).filter((name) => name.startsWith('rows.lock.'));
  return {
    file: join(folder, 'rows'),
    /** The suites run in one process. So this puts the id of a process that has ended into the lock. */
    async kill() {
      for (const lock of await locks())
        await writeFile(join(folder, lock), `${hostname()} ${ENDED} its-lock`);
    },
    destroy: () => rm(folder, { recursive: true }),
  };
}

const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

async function opened(file: string): Promise<Storage> {
  const storage: Storage = { ...memoryStorage({ store: lockedFileStore(file) }), name: 'locked-file' };
  await storage.open({ logger });
  return storage;
}

storageConformance(
  { describe, it, expect },
  {
    provenElsewhere: ['pageCost', 'walkCost'],
    create: async () => {
      const { file, kill, destroy } = await newFile();
      const storage = await opened(file);
      return {
        storage,
        reopen: () => opened(file),
        kill,
        inspect: inspectRows(
          async () => new Map(JSON.parse(await readFile(file, 'utf8').catch(emptyIfMissing))),
        ),
        another: false,
        cutOff: false,
        loseCommit: false,
        async destroy() {
          await storage.close();
          await destroy();
        },
      };
    },
  },
);

rowStoreConformance(
  { describe, it, expect },
  {
    create: async () => {
      const { file, kill, destroy } = await newFile();
      return {
        store: lockedFileStore(file),
        another: async () => lockedFileStore(file),
        async crash(store, rows, share) {
          const before = await readFile(file, 'utf8');
          await store.write(rows);
          const after = await readFile(file, 'utf8');
          await writeFile(`${file}.draft`, after.slice(0, after.length * share));
          await writeFile(file, before); // the crash came before `rename`
        },
        kill,
        async cutOff() {
          await rm(file, { force: true });
          await mkdir(file); // a folder in place of the file: it can be neither read nor replaced
        },
        damage: () => writeFile(file, '[["accounts/'),
        failWith: false, // no service is asked
        redirect: false,
        garble: false,
        silence: false,
        destroy,
      };
    },
  },
);

it('one of many processes takes over the lock of a process that has ended', async () => {
  const { file, destroy } = await newFile();
  await writeFile(`${file}.lock.7`, `${hostname()} ${ENDED} its-lock`);
  const stores = Array.from({ length: 10 }, () => lockedFileStore(file));
  const loads = await Promise.allSettled(stores.map((store) => store.load()));
  expect(loads.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await Promise.all(stores.map((store) => store.close()));
  await destroy();
});

it('the lock of a process that runs, or of another host, is left alone', async () => {
  const { file, destroy } = await newFile();
  for (const owner of [`${hostname()} ${process.ppid} its-lock`, 'another-host 1 its-lock']) {
    await writeFile(`${file}.lock.1`, owner);
    await expect(lockedFileStore(file).load()).rejects.toThrow('another process has');
  }
  await destroy();
});
