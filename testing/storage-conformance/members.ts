/** Which repositories and methods a storage lacks. The compiler compares the lists with the port. */
import type { Reader, Storage, Transaction } from '../../src/ports/storage';
import { cameOf, faultsOfTarget, type Members } from '../conformance/members';
import type { StorageUnderTest } from './types';

/** Whether a repository comes from `read` and `snapshot`, or from `transaction`. */
export type Access = 'reader' | 'transaction';

/** The names of all methods of each repository. */
type Methods<Repositories> = { readonly [Name in keyof Repositories]: NamesOf<keyof Repositories[Name]> };
type NamesOf<Name extends PropertyKey> = Readonly<Record<Name, true>>;

const STORAGE: Members<Storage> = {
  name: 'a text',
  eventNumbering: 'a text',
  open: 'a method',
  close: 'a method',
  ping: 'a method',
  read: 'a method',
  snapshot: 'a method',
  transaction: 'a method',
};

const READER: Methods<Reader> = {
  settings: { get: true },
  apiKeys: { find: true, findActiveByHashes: true, listActive: true },
  creators: { find: true, list: true },
  markets: {
    findByIds: true,
    findBySlugs: true,
    list: true,
    listByCreator: true,
    totals: true,
    risksOf: true,
  },
  accounts: { find: true },
  postings: { find: true },
  positions: { list: true, listOpenAfter: true },
  trades: { listByMarket: true, listByWallet: true },
  candles: { list: true, lastBefore: true, volumes: true },
  events: { after: true, head: true },
  consumers: { find: true, list: true, listParked: true },
  deposits: { list: true },
  payments: { find: true, list: true, backlog: true },
  withdrawals: { find: true, list: true, listOpen: true, countOpen: true },
  resolutions: { find: true, list: true, listRounds: true, spentSince: true },
  webhooks: { find: true, list: true, listDeliveries: true },
  operatorLog: { list: true },
  audit: { run: true, house: true },
};

const TRANSACTION: Methods<Transaction> = {
  settings: { ...READER.settings, put: true, putIfAbsent: true },
  challenges: { insert: true, consume: true, deleteExpired: true },
  apiKeys: { ...READER.apiKeys, insert: true, revoke: true, update: true, touch: true },
  creators: { ...READER.creators, lock: true, save: true },
  markets: {
    ...READER.markets,
    nextId: true,
    insert: true,
    lock: true,
    update: true,
    leaseDue: true,
    lockTotals: true,
    addTotals: true,
    addRisk: true,
  },
  accounts: { ...READER.accounts, lock: true, apply: true },
  postings: { ...READER.postings, insert: true },
  positions: { ...READER.positions, find: true, save: true, listUnpaid: true },
  trades: { ...READER.trades, insert: true },
  candles: { ...READER.candles, merge: true },
  events: { ...READER.events, append: true, sequence: true, deleteBefore: true },
  consumers: {
    ...READER.consumers,
    insert: true,
    lock: true,
    update: true,
    remove: true,
    park: true,
    unpark: true,
  },
  idempotency: { find: true, insert: true, deleteBefore: true },
  deposits: { ...READER.deposits, find: true, insert: true, setFundsAfter: true },
  leases: { acquire: true, release: true },
  payments: {
    ...READER.payments,
    insert: true,
    lock: true,
    update: true,
    delete: true,
    leaseDue: true,
    deleteRejected: true,
  },
  withdrawals: { ...READER.withdrawals, insert: true, lock: true, update: true },
  resolutions: {
    ...READER.resolutions,
    save: true,
    insertRound: true,
    updateRound: true,
    deleteRounds: true,
  },
  webhooks: {
    ...READER.webhooks,
    insert: true,
    lock: true,
    update: true,
    delete: true,
    addDeliveries: true,
  },
  operatorLog: { ...READER.operatorLog, append: true },
  audit: READER.audit,
};

const LISTS: Readonly<Record<Access, Readonly<Record<string, NamesOf<string>>>>> = {
  reader: READER,
  transaction: TRANSACTION,
};

/** The faults of the object that `create` returned. If it has none, the faults of its `storage`. */
export function storageFaults(made: StorageUnderTest): string[] {
  return faultsOfTarget(made, 'storage', STORAGE);
}

/** The report about a method that is missing. `null` if the port has no such method. */
export function missingMethod(access: Access, repository: string, method: string): string | null {
  return LISTS[access][repository]?.[method] === true
    ? `\`${access}.${repository}.${method}\` is missing`
    : null;
}

/**
 * One line for each fault of `read`, `snapshot` and `transaction`: a call that fails, or a repository that lacks
 * methods.
 */
export async function repositoryFaults(storage: Storage | null | undefined): Promise<string[]> {
  const lines: string[] = [];
  if (typeof storage !== 'object' || storage === null) return lines;
  const look = async (call: keyof Storage, access: Access, begin: Begin): Promise<void> => {
    if (typeof storage[call] === 'function') lines.push(...(await faultsOfCall(call, access, begin)));
  };
  await look('read', 'reader', (work) => storage.read(work));
  await look('snapshot', 'reader', (work) => storage.snapshot(work));
  await look('transaction', 'transaction', (work) => storage.transaction(work));
  return lines;
}

type Begin = (work: (repositories: object) => Promise<void>) => Promise<unknown>;

async function faultsOfCall(call: string, access: Access, begin: Begin): Promise<string[]> {
  let given: object | null = null;
  let failure: string | null = null;
  try {
    await begin(async (repositories) => {
      // An adapter in JavaScript may call `work` without an argument.
      given = (repositories as object | undefined) ?? {};
    });
  } catch (error) {
    failure = `\`storage.${call}(work)\` must run \`work\` and resolve; it rejected with ${cameOf(error)}`;
  }
  if (given === null) return [failure ?? `\`storage.${call}(work)\` must call \`work\`; it did not`];
  const lacking = faultsOfRepositories(call, access, given);
  return failure === null ? lacking : [failure, ...lacking];
}

function faultsOfRepositories(call: string, access: Access, given: object): string[] {
  return Object.entries(LISTS[access]).flatMap(([name, methods]) => {
    const repository: unknown = Reflect.get(given, name);
    const path = `${access}.${name}\` of \`${call}`;
    if (typeof repository !== 'object' || repository === null)
      return [`\`${path}\` must have ${Object.keys(methods).join(', ')}; came: ${cameOf(repository)}`];
    const lacking = Object.keys(methods).filter(
      (method) => typeof Reflect.get(repository, method) !== 'function',
    );
    return lacking.length === 0 ? [] : [`\`${path}\` lacks ${lacking.join(', ')}`];
  });
}
