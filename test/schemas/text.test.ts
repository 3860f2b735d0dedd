import fc from 'fast-check';
import { hasBlankEnd, parseInstant, textProblem } from '../../src/schemas/text';

const line = { max: 20, multiline: false };
const paragraphs = { max: 20, multiline: true };

describe('texts', () => {
  it.each(['Will it rain?', '雨は降りますか', '☔', 'é', 'שלום', 'مرحبا', '👨‍👩‍👧', 'a\u200bb', ' x ', '-'])(
    'may be %j',
    (text) => {
      expect(textProblem(text, line)).toBeNull();
    },
  );

  it.each([
    ['NUL', 'a\u0000b', 'control'],
    ['a bell', 'a\u0007', 'control'],
    ['delete', 'a\u007f', 'control'],
    ['a C1 control', 'a\u0085b', 'control'],
    ['a carriage return', 'a\rb', 'control'],
    ['a lone high surrogate', 'a\ud800', 'surrogate'],
    ['a lone low surrogate', '\udc00a', 'surrogate'],
    ['surrogates in the wrong order', '\udc00\ud800', 'surrogate'],
    ['a right-to-left override', 'a\u202eb', 'bidi'],
    ['an embedding', 'a\u202ab', 'bidi'],
    ['an isolate', 'a\u2066b', 'bidi'],
    ['the end of an isolate', 'a\u2069b', 'bidi'],
    ['nothing', '', 'blank'],
    ['spaces only', ' \u00a0\u3000', 'blank'],
    ['zero-width space only', '\u200b', 'blank'],
    ['a byte order mark only', '\ufeff', 'blank'],
    ['joiners and fillers only', '\u200d\u2060\u3164\u115f', 'blank'],
    ['variation selectors only', '\ufe0f', 'blank'],
    ['the empty braille pattern only', '\u2800', 'blank'],
    ['21 letters', 'a'.repeat(21), 'length'],
    ['21 emoji', '🌧'.repeat(21), 'length'],
  ])('may not hold %s', (_what, text, problem) => {
    expect(textProblem(text, line)).toBe(problem);
    expect(textProblem(text, paragraphs)).toBe(problem);
  });

  it('may have new lines and tabs where they are paragraphs', () => {
    expect(textProblem('a\n\tb', paragraphs)).toBeNull();
    expect(textProblem('a\r\nb', paragraphs)).toBeNull();
    expect(textProblem('a\r\rb\r\n', paragraphs)).toBe('control');
    expect(textProblem('a\r\nb', line)).toBe('control');
    expect(textProblem('a\nb', line)).toBe('control');
    expect(textProblem('a\tb', line)).toBe('control');
    expect(textProblem('\n\t\n', paragraphs)).toBe('blank');
  });

  it('are counted in code points', () => {
    expect(textProblem('🌧'.repeat(20), line)).toBeNull();
    expect(textProblem(`${'🌧'.repeat(19)}aa`, line)).toBe('length');
  });
});

describe('blanks at an end of a text', () => {
  it.each([' a', 'a ', 'a\u00a0', '\u3000a', 'a\u200b', '\ufeffa', 'a\u2060', 'a\u2800', ' ', 'a\n'])(
    'are found in %j',
    (text) => {
      expect(hasBlankEnd(text)).toBe(true);
    },
  );

  it.each(['a', 'a b', 'a\u00a0b', 'a\u200bb', '-', '雨', '☔', ''])('are not found in %j', (text) => {
    expect(hasBlankEnd(text)).toBe(false);
  });
});

describe('instants', () => {
  it.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.5Z', '2027-01-31T12:00:00.500Z'],
    ['2027-01-31T12:00:00,25Z', '2027-01-31T12:00:00.250Z'],
    ['2027-01-31T12:00:00.123999999Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00+05:30', '2027-01-31T06:30:00.000Z'],
    ['2027-01-31T12:00:00-0800', '2027-01-31T20:00:00.000Z'],
    ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseInstant(text)).toBe(Date.parse(expected));
  });

  it.each([
    ['no offset', '2027-01-31T12:00:00'],
    ['a day alone', '2027-01-31'],
    ['a day that is not in the calendar', '2026-02-30T00:00:00Z'],
    ['a leap day in a common year', '2027-02-29T00:00:00Z'],
    ['a leap day in 1900', '1900-02-29T00:00:00Z'],
    ['the 31st of April', '2027-04-31T00:00:00Z'],
    ['day zero', '2027-01-00T00:00:00Z'],
    ['month 13', '2027-13-01T00:00:00Z'],
    ['month zero', '2027-00-01T00:00:00Z'],
    ['hour 24', '2027-01-31T24:00:00Z'],
    ['minute 60', '2027-01-31T12:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an offset of 24 hours', '2027-01-31T12:00:00+24:00'],
    ['an offset of 60 minutes', '2027-01-31T12:00:00+00:60'],
    ['an hour without minutes', '2027-01-31T12Z'],
    ['a space for the T', '2027-01-31 12:00:00Z'],
    ['white space around', ' 2027-01-31T12:00:00Z '],
    ['a line break behind', '2027-01-31T12:00:00Z\n'],
    ['a year of five digits', '12027-01-31T12:00:00Z'],
    ['a year beyond 9999 in UTC', '9999-12-31T23:59:59-01:00'],
    ['a year before 0 in UTC', '0000-01-01T00:00:00+01:00'],
    ['a week date', '2027-W04-7T12:00:00Z'],
    ['digits of another script', '２０２７-01-31T12:00:00Z'],
    ['seconds since the epoch', '1801396800'],
    ['words', 'tomorrow'],
    ['nothing', ''],
  ])('are refused with %s', (_what, text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('come back as a clock has written them', () => {
    const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
    fc.assert(
      fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});
