import { consensusOracle } from '../../../adapters/oracle/consensus';
import type { Oracle } from '../../../src/ports/oracle';
import { silentLogger } from '../../../src/ports/logger';
import { askOracle } from '../../../src/usecases/resolution/ask-oracle';
import { ANY_QUESTION } from '../../oracle/support/obedient-model';

const deaf: Oracle = { name: 'deaf', ask: () => new Promise(() => undefined) };
const prompt: Oracle = {
  name: 'prompt',
  ask: async () => ({ outcome: 'NO', probability: 0, confidence: 1 }),
};

async function askedUntilAborted(oracle: Oracle) {
  const stop = new AbortController();
  const asking = askOracle({ oracle, logger: silentLogger }, ANY_QUESTION, stop.signal);
  await new Promise(setImmediate);
  stop.abort();
  return asking;
}

it('an oracle that ignores its signal has a failed vote', async () => {
  const { own } = await askedUntilAborted(deaf);
  expect(own).toMatchObject({ oracle: 'deaf', outcome: 'UNKNOWN', error: 'Oracle deaf was not waited for' });
});

it('the voters who have answered keep their votes when others have not', async () => {
  const { votes } = await askedUntilAborted(consensusOracle({ oracles: [prompt, deaf] }));
  expect(votes.map(({ oracle, error }) => [oracle, error === undefined])).toEqual([
    ['prompt', true],
    ['deaf', false],
  ]);
});
