/** Row stores in a service that is asked by HTTP, each with one fault at most. The test can make the service fail. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RowStore, StoredRow } from '../../../adapters/storage/memory';
import type { RowStoreUnderTest } from '../../../testing';
import type { SilentForm } from '../../../testing/conformance/silence';

export interface HttpRowStoreFault {
  /** With these statuses `load` returns no rows, as for an empty service. */
  empty?: (status: number) => boolean;
  /** With these statuses a write counts as stored. */
  confirms?: (status: number) => boolean;
  /** Reads the rows from a body. Default: correctly, so that an unreadable body makes `load` reject. */
  rowsOf?: (body: string) => StoredRow[];
  /** Leaves rows out that are not two texts. */
  skips?: true;
  /** Whether a body confirms a write. Default: only `{"stored":true}` does. */
  isStored?: (body: string) => boolean;
  /** What has no useful time limit: the body of an answer, or the whole answer. */
  waits?: 'for the body' | 'without a limit';
  /** Follows redirects. */
  follows?: true;
  /** No fault: `load` of a second process is refused while the first one is open. */
  locks?: true;
  /** No fault: the service answers with a bare list of rows, so `[]` is an empty service. */
  bare?: true;
}

/** A row store with its service, and the hooks that make the service fail. */
export async function httpRowStoreWith(
  fault: HttpRowStoreFault,
  timeLimitMs: number,
): Promise<RowStoreUnderTest> {
  const service = await openService(fault);
  const make = (): RowStore => httpRowStore(service.url, fault, timeLimitMs);
  return {
    store: make(),
    another: async () => make(),
    crash: false,
    failAt: service.failAt,
    cutOff: service.close,
    damage: false,
    failWith: async (status) => service.trouble({ status }),
    garble: async (nonsense) => service.trouble({ nonsense }),
    redirect: async (address) => service.trouble({ address }),
    silence: async (form: SilentForm) => service.trouble({ silence: form }),
    destroy: service.close,
  };
}

function httpRowStore(url: string, fault: HttpRowStoreFault, timeLimitMs: number): RowStore {
  const owner = randomUUID();
  const isEmpty = fault.empty ?? (() => false);

  async function ask(path: string, body: object): Promise<{ status: number; body: string }> {
    const ended = new AbortController();
    // The end of a check closes the store, so `close` always has a limit.
    const waits = path === '/close' ? undefined : fault.waits;
    const limit = setTimeout(() => ended.abort(), waits === 'without a limit' ? 60_000 : timeLimitMs);
    limit.unref();
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        body: JSON.stringify({ owner, ...body }),
        redirect: fault.follows ? 'follow' : 'error',
        signal: ended.signal,
      });
      if (waits === 'for the body') clearTimeout(limit);
      return { status: response.status, body: await response.text() };
    } finally {
      clearTimeout(limit);
    }
  }

  function strictly(body: string): StoredRow[] {
    const page = JSON.parse(body) as { rows?: unknown; complete?: unknown } | unknown[];
    const rows = fault.bare ? page : !Array.isArray(page) && page.complete === true ? page.rows : null;
    if (!Array.isArray(rows)) throw new Error('the service answered nonsense');
    if (fault.skips) return rows.filter(isRow);
    if (!rows.every(isRow)) throw new Error('the service answered nonsense');
    return rows;
  }

  return {
    async load() {
      const { status, body } = await ask('/load', {});
      if (isEmpty(status)) return new Map();
      if (status !== 200) throw new Error(`the service answered HTTP ${status}`);
      return new Map((fault.rowsOf ?? strictly)(body) as [string, string][]);
    },
    async write(rows) {
      const { status, body } = await ask('/write', { rows });
      if (fault.confirms?.(status)) return;
      if (status !== 200) throw new Error(`the service answered HTTP ${status}`);
      const isStored = fault.isStored ?? ((answer) => answer === '{"stored":true}');
      if (!isStored(body)) throw new Error('the service answered nonsense');
    },
    close: async () => void (await ask('/close', {}).catch(() => null)),
  };
}

const isRow = (row: unknown): row is StoredRow =>
  Array.isArray(row) && row.length === 2 && row.every((text) => typeof text === 'string');

interface Trouble {
  status?: number;
  nonsense?: (body: string) => string;
  address?: string;
  silence?: SilentForm;
}

async function openService({ bare, locks }: HttpRowStoreFault) {
  let rows = new Map<string, string>();
  let owner = '';
  let failsAt = Infinity;
  let trouble: Trouble = {};

  function written(changes: readonly StoredRow[]): boolean {
    const next = new Map(rows);
    for (const [key, row] of changes) {
      if (failsAt === 0) return false;
      failsAt -= 1;
      if (row === null) next.delete(key);
      else next.set(key, row);
    }
    rows = next;
    return true;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(await text(request)) as { owner: string; rows: StoredRow[] };
    if (trouble.silence === 'nothing') return;
    if (trouble.address !== undefined)
      return void response.writeHead(307, { location: trouble.address }).end();
    if (trouble.status !== undefined) return void response.writeHead(trouble.status).end('<h1>Sorry</h1>');
    const { status, body } = served(request.url ?? '', asked);
    const said = trouble.nonsense?.(body) ?? body;
    response.writeHead(status, { 'content-length': Buffer.byteLength(said) });
    if (trouble.silence === 'halfBody') response.write(said.slice(0, said.length / 2));
    else response.end(said);
  }

  function served(path: string, asked: { owner: string; rows: StoredRow[] }) {
    if (path === '/close') {
      if (owner === asked.owner) owner = '';
      return { status: 200, body: '{"closed":true}' };
    }
    if (path === '/load') {
      if (locks && owner !== '') return { status: 409, body: '{}' };
      owner = asked.owner;
      failsAt = Infinity;
      return { status: 200, body: JSON.stringify(bare ? [...rows] : { rows: [...rows], complete: true }) };
    }
    if (asked.owner !== owner) return { status: 409, body: '{}' };
    return { status: written(asked.rows) ? 200 : 500, body: '{"stored":true}' };
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failAt: async (count: number) => void (failsAt = count),
    trouble(next: Trouble): () => Promise<void> {
      trouble = next;
      return async () => void (trouble = {});
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
