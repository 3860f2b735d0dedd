/**
 * Some nodes simulate a call on the newest block although the adapter asks for the pending block. On such a node a call
 * that is too early waits for the next block.
 */
import { makeError, Wallet } from 'ethers';
import { prepareTransaction } from '../../adapters/shared/evm/prepare-transaction';
import type { Rpc } from '../../adapters/shared/evm/rpc';

const CHAIN_ID = 8453;
const call = { to: `0x${'12'.repeat(20)}`, data: '0x', notBefore: 100 };
const wallet = new Wallet(`0x${'1'.padStart(64, '0')}`);

/** Entries of `times` are the times of the newest block after 0, 1, 2 … requests for a block. The last time stays. */
function chain(times: number[], refusal: (time: number) => string | null): Rpc {
  let looks = 0;
  const time = (): number => times[Math.min(looks, times.length - 1)] ?? 0;
  const answers: Record<string, () => unknown> = {
    eth_getBlockByNumber() {
      looks += 1;
      return { timestamp: `0x${time().toString(16)}` };
    },
    eth_estimateGas() {
      const reason = refusal(time());
      if (reason === null) return '0x5208';
      throw makeError('reverted', 'CALL_EXCEPTION', {
        ...{ action: 'estimateGas', data: '0x', reason, invocation: null, revert: null },
        transaction: { to: call.to, data: call.data },
      });
    },
    eth_gasPrice: () => '0x1',
    eth_getBalance: () => '0xffffffffff',
  };
  return { send: async (method) => answers[method]?.(), chainId: () => Promise.resolve(CHAIN_ID) };
}

const early = (time: number): string | null => (time > call.notBefore ? null : 'not yet');
const prepared = (rpc: Rpc) => prepareTransaction(rpc, wallet, CHAIN_ID, call);

it('an early call is prepared once a block is late enough', async () => {
  expect(await prepared(chain([98, 98, 98, 102], early))).toMatchObject({ status: 'ready' });
});

it('an early call is refused at once for a reason other than the time', async () => {
  const poor = (time: number): string => early(time) ?? 'no money';
  expect(await prepared(chain([98, 102], poor))).toEqual({ status: 'reverts', reason: 'no money' });
  expect(await prepared(chain([102], () => 'no money'))).toEqual({ status: 'reverts', reason: 'no money' });
});

it('an early call gets no verdict while the chain stands still', async () => {
  expect(await prepared(chain([98], early))).toMatchObject({ status: 'unavailable' });
});
