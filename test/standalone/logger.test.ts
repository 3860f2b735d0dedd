import { createLogger } from '../../examples/standalone/logger';
import { scrub } from '../../examples/standalone/scrub';

const KEY = 'pmk_0123456789abcdefABCDEF0123456789abcd';
const SIGNATURE = `0x${'ab'.repeat(65)}`;

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLogger('trace', { destination, secrets: ['s3cret+word'] }));
  return lines.join('');
}

describe('logs', () => {
  it('scrub keys and signatures wherever they stand', () => {
    const text = scrub(`a ${KEY} in text, "${KEY}" in JSON and ${SIGNATURE} too`);
    expect(text).not.toMatch(/pmk_0|abab/);
    expect(text).toBe('a pmk_[redacted] in text, "pmk_[redacted]" in JSON and [redacted signature] too');
  });

  it('leave addresses and transaction hashes alone', () => {
    const text = `0x${'12'.repeat(20)} 0x${'34'.repeat(32)}`;
    expect(scrub(text)).toBe(text);
  });

  it('scrub the given secrets in any case, and credentials in addresses', () => {
    expect(scrub('key AbCdEf0123 of https://me:pw@node.example/x', ['abcdef0123'])).toBe(
      'key [redacted] of https://[redacted]@node.example/x',
    );
    expect(scrub('mail me@node.example about https://node.example/@x')).toBe(
      'mail me@node.example about https://node.example/@x',
    );
    expect(
      logged((logger) => logger.warn({ err: new Error('at s3cret+word') }, 's3cret+word')),
    ).not.toContain('s3cret');
  });

  it.each([
    ['a field', { apiKey: KEY }],
    ['a nested field', { body: { signature: SIGNATURE, payment: 'eyJmcm9tIjoi' } }],
    ['an error', { err: new Error(`refused ${KEY} ${SIGNATURE}`) }],
    ['a list', { keys: [KEY], deep: { deeper: { deepest: SIGNATURE } } }],
    ['a header', { headers: { authorization: 'Bearer open-sesame' } }],
  ])('keep secrets out of %s', (_name, fields) => {
    const text = logged((logger) => logger.error(fields, `message with ${KEY}`));
    expect(text).not.toMatch(/pmk_0|abab|eyJmcm9t|open-sesame/);
    expect(JSON.parse(text)).toMatchObject({ level: 50, msg: 'message with pmk_[redacted]' });
  });
});
