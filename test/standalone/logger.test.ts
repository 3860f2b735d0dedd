import { createLogger, scrub } from '../../examples/standalone/logger';

const KEY = 'pmk_0123456789abcdefABCDEF0123456789abcd';
const SIGNATURE = `0x${'ab'.repeat(65)}`;

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('trace', { write: (line) => void lines.push(line) }));
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
