/** Facilitators that are careless about what their service answers: errors, redirects, half a body, an unknown word. */
import type { SupportedResult } from '../../../src/ports/facilitator';
import { AWAY, parsed, SECRET, type FacilitatorFault, type World } from './facilitator-world';

/** Reads bodies with `read` if the careful way of reading finds no result. */
const orReads =
  (read: (result: Record<string, unknown>, method: string) => object | null): FacilitatorFault =>
  (_honest, world) => {
    const carefully = world.read;
    world.read = (body, method) => {
      const result = carefully(body, method);
      const given = parsed(body);
      return result ?? (given === null ? null : read(given, method));
    };
    return {};
  };

export const takesUnknownCodesForInvalid = orReads(({ reason }, method) =>
  method === 'settle' && typeof reason === 'string' ? { status: 'invalid', reason } : null,
);
export const takesUnknownStatesForUnused = orReads(({ asOf }, method) =>
  method === 'lookup' && typeof asOf === 'number' ? { status: 'unused', asOf } : null,
);
export const settlesWithoutTransaction = orReads((result, method) =>
  method === 'settle' && result['status'] === 'settled' ? { ...result } : null,
);

export const tellsMilliseconds: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return 'asOf' in found && found.asOf !== undefined ? { ...found, asOf: found.asOf * 1000 } : found;
  },
});

/** Compares addresses as texts. */
export const comparesSpellings: FacilitatorFault = (honest) => ({
  lookup: async (payment, requirements) =>
    payment.authorization.to === requirements.payTo
      ? honest.lookup(payment, requirements)
      : { status: 'invalid', reason: 'it paid another recipient' },
});

export const takesEach4xxForInvalid: FacilitatorFault = (honest, world) => ({
  settle: async (...input) =>
    [400, 404, 409, 422].includes(world.httpStatus)
      ? { status: 'invalid', reason: 'refused' }
      : honest.settle(...input),
});
export const takesNotFoundForUnused: FacilitatorFault = (honest, world) => ({
  lookup: async (...input) =>
    world.httpStatus === 404 ? { status: 'unused', asOf: 0 } : honest.lookup(...input),
});

export const verifiesNoMore: FacilitatorFault = (honest) => {
  let isBroken = false;
  return {
    async verify(...input) {
      const verified = isBroken ? AWAY : await honest.verify(...input);
      isBroken ||= verified.status === 'unavailable';
      return verified;
    },
  };
};

const KINDS = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] as const;
export const supportsByDefault: FacilitatorFault = (honest) => ({
  async supported() {
    const answer = await honest.supported();
    return answer.status === 'supported'
      ? answer
      : ({ status: 'supported', kinds: [...KINDS] } as SupportedResult);
  },
});

const follow = async ({ location }: World): Promise<void> => {
  if (location !== null) await fetch(location, { headers: { 'x-api-key': SECRET } });
};
export const followsRedirects: FacilitatorFault = (honest, world) => ({
  async settle(...input) {
    await follow(world);
    return honest.settle(...input);
  },
});

/** Its time limit covers the headers of an answer, but not the body. */
export const waitsForTheBody: FacilitatorFault = (honest, world) => ({
  verify: async (...input) =>
    world.silence === 'halfBody' ? new Promise(() => undefined) : honest.verify(...input),
});
