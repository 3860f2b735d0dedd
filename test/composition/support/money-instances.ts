import { developmentFacilitator } from '../../../adapters/facilitator/development';
import { developmentPayout } from '../../../adapters/payout/development';
import type { PaymentRecord } from '../../../src/domain/payments';
import type { Facilitator } from '../../../src/ports/facilitator';
import type { Storage } from '../../../src/ports/storage';
import { fakeFacilitator } from '../../../testing/fake-facilitator';
import { fakePayout } from '../../../testing/fake-payout';
import { API, createService, wallet, type Service } from '../../http/support/service';
import type { Gate } from '../../support/gate';
import { DEPOSIT, paymentFor, send } from '../../x402/support/calls';
import { lastingStorage } from '../../support/lasting-storage';

export const realFacilitator = () => ({ ...fakeFacilitator(), playMoney: false });
export const real = () => ({ facilitator: realFacilitator(), payout: { ...fakePayout(), playMoney: false } });
export const playFacilitator = () => developmentFacilitator({ warn: () => undefined });
export const play = () => ({ facilitator: playFacilitator(), payout: developmentPayout() });

export function slowToVerify<Fake extends Facilitator>(facilitator: Fake, gate: Gate): Fake {
  return {
    ...facilitator,
    async verify(payment, requirements) {
      await gate.opened;
      return facilitator.verify(payment, requirements);
    },
  };
}

export const depositOf = async (service: Service, payer: number) =>
  send(service, DEPOSIT, await paymentFor(service, wallet(payer), DEPOSIT));

export async function withdraw(service: Service, payer: number): Promise<number> {
  const key = await service.issueKey(wallet(payer));
  const headers = { 'Idempotency-Key': 'one' };
  const body = { amount: 20 };
  return (await service.call('post', `${API}/public/withdrawals`, { key, headers, body })).status;
}

export interface MoneyInstances {
  storage(): Storage;
  renewStorage(): Promise<void>;
  start(options: object): Promise<Service>;
  /** Returns the error of a refused start, or the text `started`. */
  refusal(options: object): Promise<unknown>;
  payments(): Promise<PaymentRecord[]>;
}

/** Registers hooks of Jest, so that each test gets an empty storage. */
export function moneyInstances(): MoneyInstances {
  let storage: Storage;
  const services: Service[] = [];

  async function renewStorage(): Promise<void> {
    storage = await lastingStorage();
  }

  async function start(options: object): Promise<Service> {
    const service = await createService({ storage, jobIntervalMs: 86_400_000, ...options });
    services.push(service);
    await service.pm.start();
    return service;
  }

  beforeEach(renewStorage);
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });
  return {
    storage: () => storage,
    renewStorage,
    start,
    refusal: (options) =>
      start(options).then(
        () => 'started',
        (error: unknown) => error,
      ),
    payments: () =>
      storage.read((reader) => reader.payments.list({ status: undefined, limit: 10, offset: 0 })),
  };
}
