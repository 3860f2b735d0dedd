/**
 * A conformance suite lists each sentence in the comments of its port: as a rule, or as an explanation. These tests
 * compare the lists with the comments, and look for a check that cites each rule.
 */
import { describe, expect, it } from '@jest/globals';
import { registerFacilitatorTests } from '../../testing/facilitator-conformance/all';
import {
  FACILITATOR_CONTRACT,
  FACILITATOR_EXPLANATIONS,
} from '../../testing/facilitator-conformance/contract';
import { registerOracleTests } from '../../testing/oracle-conformance/all';
import { ORACLE_CONTRACT, ORACLE_EXPLANATIONS } from '../../testing/oracle-conformance/contract';
import { registerPayoutTests } from '../../testing/payout-conformance/all';
import { PAYOUT_CONTRACT, PAYOUT_EXPLANATIONS } from '../../testing/payout-conformance/contract';
import { registerRateLimitTests } from '../../testing/rate-limit-conformance/all';
import { RATE_LIMIT_CONTRACT, RATE_LIMIT_EXPLANATIONS } from '../../testing/rate-limit-conformance/contract';
import { registerRowStoreTests } from '../../testing/row-store-conformance/all';
import { ROW_STORE_CONTRACT, ROW_STORE_EXPLANATIONS } from '../../testing/row-store-conformance/contract';
import { registerStorageTests } from '../../testing/storage-conformance/all';
import { STORAGE_CONTRACT, STORAGE_EXPLANATIONS } from '../../testing/storage-conformance/contract';
import type { Cited, Contract } from '../../testing/conformance/runner';
import type { Kit } from '../../testing/conformance/kit';
import { explainedIn, sentencesOf } from './port-sentences';

interface Case {
  /** A file, or a folder of files. */
  path: string;
  contract: Contract<string>;
  explanations: readonly string[];
  cited: Set<string>;
}

/** Registers the tests of a suite without running them. Returns the keys of the sentences that they cite. */
function citedBy<Context, Key extends string>(register: (kit: Kit<Context, Key>) => void): Set<string> {
  const all = new Set<string>();
  register({
    describe: (_name, body) => body(),
    testMembers: (key) => void all.add(key),
    test(_name, cited: Cited<Key>) {
      for (const key of typeof cited === 'string' ? [cited] : cited) all.add(key);
    },
  });
  return all;
}

const CASES: Case[] = [
  {
    path: 'src/ports/storage',
    contract: STORAGE_CONTRACT,
    explanations: STORAGE_EXPLANATIONS,
    cited: citedBy(registerStorageTests),
  },
  {
    path: 'src/ports/facilitator.ts',
    contract: FACILITATOR_CONTRACT,
    explanations: FACILITATOR_EXPLANATIONS,
    cited: citedBy(registerFacilitatorTests),
  },
  {
    path: 'src/ports/oracle.ts',
    contract: ORACLE_CONTRACT,
    explanations: ORACLE_EXPLANATIONS,
    cited: citedBy(registerOracleTests),
  },
  {
    path: 'src/ports/payout.ts',
    contract: PAYOUT_CONTRACT,
    explanations: PAYOUT_EXPLANATIONS,
    cited: citedBy(registerPayoutTests),
  },
  {
    path: 'adapters/storage/memory/row-store-port.ts',
    contract: ROW_STORE_CONTRACT,
    explanations: ROW_STORE_EXPLANATIONS,
    cited: citedBy(registerRowStoreTests),
  },
  {
    path: 'src/ports/rate-limit.ts',
    contract: RATE_LIMIT_CONTRACT,
    explanations: RATE_LIMIT_EXPLANATIONS,
    cited: citedBy(registerRateLimitTests),
  },
];

describe.each(CASES)('the contract in $path', ({ path, contract, explanations, cited }) => {
  const listed = [...Object.values(contract.sentences), ...explanations];

  it('is known to the suite sentence by sentence', () => {
    const written = new Set(sentencesOf(path));
    expect({
      unknownToTheSuite: [...written].filter((sentence) => !listed.includes(sentence)),
      goneFromThePort: listed.filter((sentence) => !written.has(sentence)),
    }).toEqual({ unknownToTheSuite: [], goneFromThePort: [] });
  });

  it('has a check for every sentence', () => {
    expect(Object.keys(contract.sentences).filter((key) => !cited.has(key))).toEqual([]);
  });
});

describe('the comment that an editor shows', () => {
  it.each([
    ['src/ports/oracle.ts', 'Oracle', ['ask']],
    ['src/ports/facilitator.ts', 'Facilitator', ['verify', 'settle', 'lookup', 'supported']],
    ['src/ports/payout.ts', 'Payout', ['prepare', 'submit', 'check']],
    ['src/ports/rate-limit.ts', 'RateLimitBackend', ['window', 'failures', 'start']],
    ['src/ports/storage/index.ts', 'Storage', ['open', 'close', 'read', 'snapshot', 'transaction']],
  ])('in %s explains %s and its methods', (path, port, methods) => {
    expect(explainedIn(path)).toEqual(expect.arrayContaining([port, ...methods]));
  });
});
