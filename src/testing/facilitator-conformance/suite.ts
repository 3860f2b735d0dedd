import type { Payment, PaymentForm } from '../../ports/facilitator';
import type { ConformanceRunner } from '../storage-conformance';
import { createCheck, type Check } from '../conformance/check';
import { signedPayment, type UnsignedAuthorization } from './payments';
import type { FacilitatorConformanceTarget, FacilitatorUnderTest } from './types';

export interface FacilitatorTest extends FacilitatorUnderTest {
  check: Check;
  /** A payment of the payer as the requirements want it, but for what is changed. */
  pay(change?: Partial<UnsignedAuthorization> & { form?: PaymentForm }): Promise<Payment>;
}

export interface FacilitatorSuite {
  describe(name: string, body: () => void): void;
  test(name: string, body: (context: FacilitatorTest) => Promise<void>): void;
}

export const FORMS: readonly PaymentForm[] = ['flat', 'v1', 'v2'];

export function createFacilitatorSuite(
  runner: ConformanceRunner,
  target: FacilitatorConformanceTarget,
): FacilitatorSuite {
  const check = createCheck(
    (actual) => runner.expect(actual),
    { port: 'Facilitator', sentences: { all: '' } },
    'all',
  );
  return {
    describe(name, body) {
      runner.describe(name, body);
    },
    test(name, body) {
      runner.it(name, async () => {
        const sut = await target.create();
        try {
          const { payer, requirements } = sut;
          await body({
            ...sut,
            check,
            pay: (change) => signedPayment(payer, requirements, sut.now(), change),
          });
        } finally {
          await sut.destroy();
        }
      });
    },
  };
}
