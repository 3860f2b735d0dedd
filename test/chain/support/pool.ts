import { NodeError, type Lie } from './lying-node';

type Ask = Parameters<Lie>[1];

export function laggingNode(headOf: () => Promise<number>, behind: number): Record<string, Lie> {
  const head = async (): Promise<number> => Math.max(0, (await headOf()) - behind);
  const hex = (block: number): string => `0x${block.toString(16)}`;

  /** `null`: the node does not have the block. */
  async function known(tag: unknown): Promise<number | null> {
    const newest = await head();
    if (tag === 'finalized') return Math.max(0, newest - 64);
    if (typeof tag !== 'string' || !tag.startsWith('0x')) return newest;
    return Number(tag) <= newest ? Number(tag) : null;
  }
  const onState =
    (place: number): Lie =>
    async (parameters, ask) => {
      const block = await known(parameters[place]);
      if (block === null) throw new NodeError('header not found');
      return ask(parameters.map((value, index) => (index === place ? hex(block) : value)));
    };
  const inKnownBlock: Lie = async (_parameters, ask: Ask) => {
    const found = (await ask()) as { blockNumber?: string } | null;
    const block = found?.blockNumber === undefined ? null : await known(found.blockNumber);
    return block === null ? null : found;
  };
  return {
    eth_blockNumber: async () => hex(await head()),
    eth_getTransactionCount: onState(1),
    eth_getTransactionReceipt: inKnownBlock,
    eth_getTransactionByHash: inKnownBlock,
    eth_getBlockByNumber: async ([tag, whole], ask) => {
      const block = await known(tag);
      return block === null ? null : ask([hex(block), whole]);
    },
    eth_getBlockReceipts: async ([tag], ask) => {
      const block = await known(tag);
      return block === null ? null : ask([hex(block)]);
    },
  };
}

/** `choose` returns a number from 0 to less than 1. A member `null` answers honestly. */
export function pool(
  members: readonly (Record<string, Lie> | null)[],
  choose: () => number,
): Record<string, Lie> {
  const methods = new Set(members.flatMap((member) => Object.keys(member ?? {})));
  return Object.fromEntries(
    [...methods].map((method): [string, Lie] => [
      method,
      (parameters, ask) => {
        const member = members[Math.floor(choose() * members.length)] ?? null;
        return member?.[method] === undefined ? ask() : member[method](parameters, ask);
      },
    ]),
  );
}
