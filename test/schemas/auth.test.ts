import { parseBody, parseInput, parseQuery } from '../../src/schemas/parse';
import { challengeBody, keysQuery, manageKeyInput, signedBody, tokenBody } from '../../src/schemas/auth';
import { applyBody } from '../../src/schemas/creators';
import { parseRowId } from '../../src/schemas/common';
import { ADDRESS, fieldsOf, refusalOf } from './support';

const signed = { address: ADDRESS, message: 'm', signature: 's', nonce: 'n' };
const REQUIRED = 'address, signature, message, and nonce are required';

describe('signed calls', () => {
  it('become commands', () => {
    expect(parseBody(signedBody, signed)).toEqual(signed);
    expect(parseBody(tokenBody, signed)).toEqual({ ...signed, label: null, scopes: null });
    expect(parseBody(tokenBody, { ...signed, label: 'bot', scopes: ['markets:read'] })).toEqual({
      ...signed,
      label: 'bot',
      scopes: ['markets:read'],
    });
    expect(parseBody(applyBody, { ...signed, displayName: 'Ada', statement: 'One.\nTwo.' })).toEqual({
      ...signed,
      displayName: 'Ada',
      statement: 'One.\nTwo.',
    });
    expect(parseBody(applyBody, signed)).toEqual({ ...signed, displayName: null, statement: null });
  });

  describe.each([
    ['token', tokenBody],
    ['signed', signedBody],
    ['apply', applyBody],
  ])('%s', (_name, schema) => {
    it.each(['address', 'message', 'signature', 'nonce'])(
      'answers in the documented words without %s',
      (field) => {
        for (const value of [undefined, '']) {
          const refused = refusalOf(() => parseBody<object>(schema, { ...signed, [field]: value }));
          expect(refused.message).toBe(REQUIRED);
          expect(refused.errors?.map((error) => error.field)).toEqual([field]);
        }
      },
    );

    it.each(['address', 'message', 'signature', 'nonce'])(
      'answers in the same words when %s is null',
      (field) => {
        expect(refusalOf(() => parseBody<object>(schema, { ...signed, [field]: null })).message).toBe(
          REQUIRED,
        );
      },
    );

    it('answers in the same words for an empty body, also when other fields are wrong', () => {
      expect(refusalOf(() => parseBody<object>(schema, {})).message).toBe(REQUIRED);
      expect(refusalOf(() => parseBody<object>(schema, { label: 5, x: 1 })).message).toBe(REQUIRED);
    });

    it.each([
      ['address', 5],
      ['address', '0x12'],
      ['address', [ADDRESS]],
      ['message', 5],
      ['signature', {}],
      ['nonce', ['n']],
    ])('answers with a message of its own when %s is %j', (field, value) => {
      const refused = refusalOf(() => parseBody<object>(schema, { ...signed, [field]: value }));
      expect(refused.message).not.toBe(REQUIRED);
      expect(refused.errors?.map((error) => error.field)).toEqual([field]);
    });
  });

  it.each([
    ['label', ''],
    ['label', '\u200b'],
    ['label', 'a'.repeat(101)],
    ['label', 'a\nb'],
    ['label', 5],
    ['label', null],
    ['scopes', []],
    ['scopes', 'markets:read'],
    ['extra', 1],
  ])('refuse %s of %j', (field, value) => {
    expect(fieldsOf(() => parseBody(tokenBody, { ...signed, [field]: value }))).toEqual([field]);
  });

  it('refuse a scope that is named twice', () => {
    const scopes = ['markets:read', 'markets:read'];
    expect(fieldsOf(() => parseBody(tokenBody, { ...signed, scopes }))).toEqual(['scopes.1']);
  });

  it('name the first of the scopes that do not exist', () => {
    const scopes = Array.from({ length: 30_000 }, () => 'all');
    expect(fieldsOf(() => parseBody(tokenBody, { ...signed, scopes }))).toEqual(['scopes.0']);
    const many = Array.from({ length: 30_000 }, () => 'markets:read');
    expect(fieldsOf(() => parseBody(tokenBody, { ...signed, scopes: many }))).toEqual(['scopes']);
  });

  it('count the characters of a label, not their code units', () => {
    expect(parseBody(tokenBody, { ...signed, label: '🌧'.repeat(100) })).toMatchObject({
      label: '🌧'.repeat(100),
    });
  });
});

describe('challenges', () => {
  const asked = { address: ADDRESS, action: 'issue' };

  it('become commands', () => {
    expect(parseBody(challengeBody, asked)).toEqual({ ...asked, keyId: null, format: 'text' });
    expect(parseBody(challengeBody, { ...asked, action: 'revoke', keyId: 7, format: 'siwe' })).toEqual({
      ...asked,
      action: 'revoke',
      keyId: 7,
      format: 'siwe',
    });
  });

  it.each([0, -1, 1.5, 2 ** 53, 1e300])('take %s for a key that cannot exist', (keyId) => {
    expect(parseBody(challengeBody, { ...asked, action: 'revoke', keyId })).toMatchObject({ keyId: null });
  });

  it.each([
    ['no address', { address: undefined }, 'address'],
    ['a wrong checksum', { address: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'address'],
    ['the zero address', { address: `0x${'0'.repeat(40)}` }, 'address'],
    ['no action', { action: undefined }, 'action'],
    ['an action that is none', { action: 'steal' }, 'action'],
    ['a format that is none', { format: 'html' }, 'format'],
    ['no key to revoke', { action: 'revoke' }, 'keyId'],
    ['no key to regenerate', { action: 'regenerate' }, 'keyId'],
    ['a key to issue', { keyId: 1 }, 'keyId'],
    ['a text for a key id', { action: 'revoke', keyId: '1' }, 'keyId'],
    ['null for a key id', { action: 'revoke', keyId: null }, 'keyId'],
    ['infinity for a key id', { action: 'revoke', keyId: Infinity }, 'keyId'],
  ])('are refused with %s', (_what, change, field) => {
    expect(fieldsOf(() => parseBody(challengeBody, { ...asked, ...change }))).toEqual([field]);
  });
});

describe('key ids', () => {
  it('are canonical positive integers', () => {
    expect(parseRowId('1')).toBe(1);
    expect(parseRowId('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(['', '0', '01', '-1', '+1', '1.0', '1e3', ' 1', '1\n', 'abc', '9007199254740992', '1'.repeat(400)])(
    'cannot be %j',
    (text) => {
      expect(parseRowId(text)).toBeNull();
    },
  );

  it('of typed calls become null when no key can have them', () => {
    expect(parseInput(manageKeyInput, { ...signed, id: 7 })).toEqual({ ...signed, id: 7 });
    for (const id of [0, -7, 0.5, 2 ** 60]) {
      expect(parseInput(manageKeyInput, { ...signed, id })).toEqual({ ...signed, id: null });
    }
    expect(fieldsOf(() => parseInput(manageKeyInput, signed))).toEqual(['id']);
    expect(fieldsOf(() => parseInput(manageKeyInput, { ...signed, id: '7' }))).toEqual(['id']);
  });
});

describe('the keys of a wallet', () => {
  it('are asked for by address', () => {
    const query = new URLSearchParams({
      address: ADDRESS.replace('0x', '0x').toUpperCase().replace('0X', '0x'),
    });
    expect(parseQuery(keysQuery, query)).toEqual({ address: ADDRESS });
    expect(fieldsOf(() => parseQuery(keysQuery, new URLSearchParams()))).toEqual(['address']);
  });
});
