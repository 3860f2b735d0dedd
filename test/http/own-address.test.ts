import fc from 'fast-check';
import type { Request } from 'express';
import { ownAddress } from '../../src/http/own-address';
import { isPredictionMarketError } from '../../src/domain/errors';

function asked(protocol: string, host: string): Request {
  return { protocol, headers: { host }, baseUrl: '/pm' } as unknown as Request;
}

/** The address without a memory of earlier requests. */
function plainAddress(protocol: string, host: string): string | null {
  const named = host.split(',', 1)[0]?.trim() ?? '';
  const text = `${protocol}://${named}`;
  if (!['http', 'https'].includes(protocol) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.href === `${url.origin}/` ? `${url.origin}/pm` : null;
}

function addressOrNull(request: Request): string | null {
  try {
    return ownAddress(null, request);
  } catch (error) {
    if (isPredictionMarketError(error) && error.code === 'VALIDATION_ERROR') return null;
    throw error;
  }
}

it('each request gets the address of its own protocol and host, in any order of requests', () => {
  const protocol = fc.constantFrom('http', 'https', 'ftp');
  const host = fc.constantFrom(
    'a.example',
    'A.example',
    'b.example:81',
    'b.example',
    'x/y',
    'u@c',
    '',
    'a b',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(protocol, host), { maxLength: 12 }), (requests) => {
      for (const [scheme, name] of requests)
        expect(addressOrNull(asked(scheme, name))).toBe(plainAddress(scheme, name));
    }),
  );
});
